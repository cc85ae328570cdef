pragma ComponentBehavior: Bound
import QtQuick
import PopLens.Core

// An answer: what it waited for, its text, its figures and what can be done with it.
Column {
    id: answer

    required property ChatMessage message
    property bool busy: false
    property bool marksShown: true
    signal copyAsked(string text)
    signal regenerateAsked
    signal compareAsked
    signal linkAsked(string link)
    signal pictureOpened(var marked)
    signal marksToggled

    readonly property bool running: message.state === ChatMessage.Running
    spacing: Theme.small

    Column {
        width: parent.width
        spacing: 6
        visible: answer.message.stages.running || answer.message.figures.ttftMs > 0

        Words {
            visible: answer.message.stages.running
            secondary: true
            text: answer.message.stages.caption
        }
        StageBar {
            width: parent.width
            stages: answer.message.stages
        }
        Words {
            visible: answer.message.stages.running && text !== ""
            secondary: true
            text: answer.message.stages.note
        }
    }

    Repeater {
        model: answer.message.blocks
        delegate: Item {
            id: block
            required property bool code
            required property string text
            required property string language
            required property bool goesOn
            required property bool goesOnBelow
            required property int index

            width: answer.width
            height: childrenRect.height

            Lazy {
                active: block.code
                CodeBlock {
                    width: block.width
                    code: block.text
                    language: block.language
                    goesOn: block.goesOn
                    goesOnBelow: block.goesOnBelow
                    onCopyAsked: answer.copyAsked(answer.message.blocks.codeAt(block.index))
                }
            }
            Lazy {
                active: !block.code
                TextBlock {
                    width: block.width
                    markdown: block.text
                    onLinkAsked: link => answer.linkAsked(link)
                }
            }
        }
    }

    Repeater {
        model: answer.message.markedPictures
        delegate: MarkedThumb {
            required property var modelData
            width: answer.width
            marked: modelData
            marksShown: answer.marksShown
            onOpened: answer.pictureOpened(modelData)
            onMarksToggled: answer.marksToggled()
        }
    }

    ErrorCard {
        visible: answer.message.state === ChatMessage.Failed
        width: parent.width
        reason: answer.message.error
        advice: answer.message.advice
        onRetried: answer.regenerateAsked()
    }

    Words {
        visible: answer.message.state === ChatMessage.Stopped
        secondary: true
        text: answer.message.text === "" ? qsTr("Stopped before the first token.") : qsTr("Stopped.")
    }

    Words {
        visible: answer.message.state === ChatMessage.Done && answer.message.text === ""
        secondary: true
        text: qsTr("The answer is empty: the model ended it at once.")
    }

    Item {
        // One under the other where both have no room side by side.
        readonly property bool stacked: about.visible && width < 560

        width: parent.width
        height: stacked ? about.height + actions.height : Math.max(actions.height, about.height)
        opacity: answer.running ? 0 : 1
        enabled: !answer.running

        Flow {
            id: about
            width: parent.width - (parent.stacked ? 0 : actions.width + Theme.small)
            visible: answer.message.figures.ttftMs > 0
            spacing: Theme.medium

            Row {
                spacing: Theme.tiny
                Words {
                    height: Theme.controlHeight
                    text: Format.ms(answer.message.figures.ttftMs)
                    font.pixelSize: Theme.secondarySize
                    strong: true
                }
                Words {
                    height: Theme.controlHeight
                    secondary: true
                    text: qsTr("to first token")
                }
            }
            Words {
                height: Theme.controlHeight
                secondary: true
                visible: answer.message.figures.tokensPerSecond > 0
                text: Format.speed(answer.message.figures.tokensPerSecond)
            }
            Words {
                height: Theme.controlHeight
                secondary: true
                text: Format.plan(answer.message.figures.prunedLayers, answer.message.figures.layers)
            }
        }
        Row {
            id: actions
            y: parent.stacked ? about.height : 0
            anchors.right: parent.right
            anchors.rightMargin: -Theme.tiny
            spacing: Theme.tiny

            LinkButton {
                visible: answer.message.text !== ""
                text: qsTr("Copy")
                onClicked: answer.copyAsked(answer.message.text)
            }
            LinkButton {
                text: qsTr("Regenerate")
                enabled: !answer.busy
                onClicked: answer.regenerateAsked()
            }
            LinkButton {
                visible: answer.message.state === ChatMessage.Done || answer.message.text !== ""
                text: answer.message.figures.prunedLayers > 0 ? qsTr("Compare with full") : qsTr("Compare with POP")
                enabled: !answer.busy
                onClicked: answer.compareAsked()
            }
        }
    }
    Words {
        width: parent.width
        secondary: true
        visible: text !== ""
        wrapMode: Text.Wrap
        text: answer.cacheNote(answer.message.figures.reusedTokens, answer.message.figures.reusedPictures, answer.message.figures.aheadMs)
    }

    function cacheNote(tokens: int, pictures: int, aheadMs: real): string {
        const fromCache = tokens > 0 ? qsTr("%1 from the cache").arg(Format.tokens(tokens)) : "";
        const features = pictures > 0 ? qsTr("picture features from the cache") : "";
        const ahead = aheadMs > 0 ? qsTr("%1 done while you typed").arg(Format.ms(aheadMs)) : "";
        return joined(joined(fromCache, features), ahead);
    }
    function joined(a: string, b: string): string {
        return a !== "" && b !== "" ? a + " · " + b : a + b;
    }
}
