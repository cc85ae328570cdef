pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Dialogs
import QtQuick.Layouts
import PopLens.Core

// The models that lie on this machine: what each is and needs, and loading one.
FocusScope {
    id: screen

    required property ModelListModel models
    required property EngineState engine

    readonly property real columnWidth: Math.min(760, width - 2 * Theme.huge)

    Component.onCompleted: models.refresh()

    Column {
        id: head
        x: (screen.width - width) / 2
        y: Theme.huge
        width: screen.columnWidth
        spacing: Theme.medium

        RowLayout {
            width: parent.width
            spacing: Theme.small
            Column {
                Layout.fillWidth: true
                spacing: 2
                Words {
                    width: parent.width
                    text: qsTr("Models on this machine")
                    font.pixelSize: Theme.titleSize
                    strong: true
                }
                Words {
                    width: parent.width
                    secondary: true
                    wrapMode: Text.Wrap
                    text: screen.models.looking ? qsTr("looking …") : screen.models.machine
                }
            }
            PushButton {
                text: qsTr("Look again")
                enabled: !screen.models.looking
                hint: qsTr("Look for models once more")
                onClicked: screen.models.refresh()
            }
            PushButton {
                text: qsTr("Add folder …")
                hint: qsTr("Look for models in a folder of yours too")
                onClicked: folderDialog.open()
            }
        }
        Flow {
            width: parent.width
            spacing: Theme.small
            visible: screen.models.folders.length > 0
            Repeater {
                model: screen.models.folders
                delegate: Rectangle {
                    id: chip
                    required property string modelData
                    width: chipRow.width + Theme.medium
                    height: Theme.controlHeight
                    radius: Theme.controlRadius
                    color: Theme.sunken
                    Row {
                        id: chipRow
                        x: Theme.medium
                        height: parent.height
                        Words {
                            anchors.verticalCenter: parent.verticalCenter
                            width: Math.min(implicitWidth, screen.columnWidth - 80)
                            elide: Text.ElideMiddle
                            secondary: true
                            text: chip.modelData
                        }
                        PushButton {
                            flatLook: true
                            iconPath: "M6 6 L18 18 M18 6 L6 18"
                            hint: qsTr("No longer look in %1").arg(chip.modelData)
                            onClicked: screen.models.removeFolder(chip.modelData)
                        }
                    }
                }
            }
        }
    }

    ListView {
        id: list
        anchors.top: head.bottom
        anchors.topMargin: Theme.large
        anchors.bottom: parent.bottom
        width: parent.width
        model: screen.models
        spacing: Theme.medium
        bottomMargin: Theme.huge
        clip: true
        focus: true
        boundsBehavior: Flickable.StopAtBounds
        keyNavigationEnabled: true
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Models on this machine")
        ScrollBar.vertical: ScrollBar {}

        delegate: Item {
            id: entry

            required property string name
            required property string path
            required property string origin
            required property string detail
            required property string memory
            required property real memoryShare
            required property string reason
            required property string advice
            required property int loadState
            required property int index

            width: list.width
            height: card.height

            ModelCard {
                id: card
                x: (parent.width - width) / 2
                width: screen.columnWidth
                name: entry.name
                path: entry.path
                origin: entry.origin
                detail: entry.detail
                memory: entry.memory
                memoryShare: entry.memoryShare
                reason: entry.reason
                advice: entry.advice
                loadState: entry.loadState
                loadCaption: screen.engine.loadCaption
                loadedShare: screen.engine.loadedShare
                onLoadAsked: screen.models.load(entry.index)
                onStopAsked: screen.engine.stopLoading()
            }
        }

        Words {
            x: (list.width - width) / 2
            width: screen.columnWidth
            visible: list.count === 0 && !screen.models.looking
            wrapMode: Text.Wrap
            color: Theme.secondary
            text: qsTr("No models were found in the Hugging Face cache or in your own folders. Download one there, or add the folder that holds it.")
        }
    }

    FolderDialog {
        id: folderDialog
        title: qsTr("Choose a folder that holds models")
        onAccepted: screen.models.addFolder(selectedFolder)
    }
}
