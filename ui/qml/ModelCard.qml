import QtQuick
import QtQuick.Layouts
import PopLens.Core

// One model: what it is, what it needs, and what can be done with it.
Rectangle {
    id: card

    required property string name
    required property string path
    required property string origin
    required property string detail
    required property string memory
    required property real memoryShare
    required property string reason
    required property string advice
    required property int loadState
    required property string loadCaption
    required property real loadedShare
    signal loadAsked
    signal stopAsked

    readonly property bool inUse: loadState === ModelListModel.InUse
    readonly property bool loading: loadState === ModelListModel.Loading
    readonly property bool tight: memoryShare > 0.9

    implicitHeight: content.height + 2 * Theme.large
    radius: Theme.cardRadius
    color: Theme.surface
    border.color: inUse ? Theme.accent : Theme.line
    Accessible.role: Accessible.ListItem
    Accessible.name: qsTr("%1: %2, %3. %4").arg(name).arg(detail).arg(memory).arg(reason)

    ColumnLayout {
        id: content
        x: Theme.large
        y: Theme.large
        width: parent.width - 2 * Theme.large
        spacing: Theme.tiny

        RowLayout {
            Layout.fillWidth: true
            spacing: Theme.medium

            ColumnLayout {
                Layout.fillWidth: true
                spacing: Theme.tiny
                Words {
                    Layout.fillWidth: true
                    text: card.name
                    font.pixelSize: Theme.textSize
                    strong: true
                    color: card.loadState === ModelListModel.NotLoadable ? Theme.secondary : Theme.text
                }
                Words {
                    Layout.fillWidth: true
                    visible: text !== ""
                    wrapMode: Text.Wrap
                    text: card.detail
                }
                Words {
                    Layout.fillWidth: true
                    secondary: true
                    elide: Text.ElideMiddle
                    text: qsTr("%1 · %2").arg(card.origin).arg(card.path)
                }
            }
            Words {
                visible: card.inUse
                text: qsTr("In use")
                color: Theme.ok
                strong: true
            }
            PushButton {
                visible: card.loading
                text: qsTr("Cancel")
                hint: qsTr("Stop loading %1").arg(card.name)
                onClicked: card.stopAsked()
            }
            PushButton {
                visible: !card.inUse && !card.loading && card.loadState !== ModelListModel.NotLoadable
                text: card.loadState === ModelListModel.Failed ? qsTr("Try again") : qsTr("Load")
                hint: qsTr("Load %1 and answer with it").arg(card.name)
                onClicked: card.loadAsked()
            }
        }

        RowLayout {
            Layout.fillWidth: true
            Layout.topMargin: Theme.tiny
            visible: card.memory !== ""
            spacing: Theme.small
            Rectangle {
                Layout.preferredWidth: 120
                Layout.preferredHeight: 6
                radius: 3
                color: Theme.sunken
                clip: true
                Rectangle {
                    width: parent.width * Math.min(1, card.loading ? card.loadedShare : card.memoryShare)
                    height: parent.height
                    radius: 3
                    color: card.loading ? Theme.accent : card.memoryShare > 1 ? Theme.error : card.tight ? Theme.warning : Theme.secondary
                }
            }
            Words {
                Layout.fillWidth: true
                secondary: true
                color: card.memoryShare > 1 && !card.loading ? Theme.error : Theme.secondary
                text: card.loading ? card.loadCaption : card.memory
            }
        }

        Words {
            Layout.fillWidth: true
            Layout.topMargin: Theme.tiny
            visible: text !== ""
            wrapMode: Text.Wrap
            color: Theme.error
            text: card.reason
        }
        Words {
            Layout.fillWidth: true
            visible: text !== ""
            wrapMode: Text.Wrap
            color: Theme.secondary
            text: card.advice
        }
    }
}
