import QtQuick
import PopLens.Core

// One side of a comparison: time to the first token with its stages, the answer, and where it differs.
Rectangle {
    id: card

    required property CompareSide side
    required property string title
    required property string detail
    required property real scaleMs
    required property bool done
    signal linkAsked(string link)

    readonly property bool measuring: side.stages.running
    readonly property real ms: done ? side.figures.ttftMs : side.stages.elapsedMs

    implicitHeight: content.height + 2 * Theme.medium + 2
    radius: Theme.cardRadius
    color: Theme.surface
    border.color: Theme.line
    Accessible.role: Accessible.Grouping
    Accessible.name: done ? qsTr("%1: first token after %2").arg(title).arg(Format.ms(ms)) : title

    Column {
        id: content
        x: 14
        y: Theme.medium
        width: parent.width - 2 * x
        spacing: Theme.small

        Item {
            width: parent.width
            height: 28
            Words {
                id: name
                anchors.verticalCenter: parent.verticalCenter
                text: card.title
                font.pixelSize: Theme.titleSize
                strong: true
            }
            Words {
                anchors.right: parent.right
                anchors.verticalCenter: parent.verticalCenter
                width: Math.min(implicitWidth, parent.width - name.width - Theme.small)
                secondary: true
                text: card.detail
            }
        }
        Row {
            spacing: 6
            Words {
                id: figure
                text: card.ms > 0 ? Format.ms(card.ms) : "–"
                font.pixelSize: Theme.figureSize
                strong: true
            }
            Words {
                anchors.baseline: figure.baseline
                text: card.measuring ? card.side.stages.caption : qsTr("to first token")
                color: Theme.secondary
            }
        }
        StageBar {
            width: parent.width
            stages: card.side.stages
            fullMs: card.scaleMs
        }
        Rectangle {
            width: parent.width
            height: 1
            color: Theme.line
        }
        TextEdit {
            id: words
            width: parent.width
            visible: card.side.text !== ""
            readOnly: true
            selectByMouse: true
            wrapMode: TextEdit.Wrap
            textFormat: TextEdit.RichText
            text: Markdown.renderMarked(card.side.text, card.side.markBegin, card.side.markEnd, Theme.accent, Theme.sunken, Theme.line, Theme.selection)
            font.pixelSize: Theme.textSize
            color: Theme.text
            selectionColor: Theme.accent
            selectedTextColor: Theme.accentText
            activeFocusOnTab: false
            onLinkActivated: link => card.linkAsked(link)
            Accessible.role: Accessible.StaticText
            Accessible.name: card.side.text
        }
        Words {
            width: parent.width
            visible: card.side.text === ""
            wrapMode: Text.Wrap
            text: card.done ? qsTr("The answer is empty: the model ended it at once.") : qsTr("No answer yet.")
            color: Theme.secondary
        }
        Words {
            width: parent.width
            visible: card.done
            secondary: true
            text: card.side.figures.tokensPerSecond > 0 ? qsTr("%1 · %2").arg(Format.tokens(card.side.figures.answerTokens)).arg(Format.speed(card.side.figures.tokensPerSecond))
                                                    : Format.tokens(card.side.figures.answerTokens)
        }
    }
}
