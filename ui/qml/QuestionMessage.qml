pragma ComponentBehavior: Bound
import QtQuick
import PopLens.Core

// What the person asked, at the right.
Item {
    id: question

    required property ChatMessage message
    signal pictureOpened(var picture)
    signal editAsked

    implicitHeight: card.height

    Rectangle {
        id: card
        anchors.right: parent.right
        width: Math.min(parent.width - editor.width - Theme.small, Math.max(460, parent.width * 0.6))
        height: content.height + 2 * Theme.medium
        radius: Theme.cardRadius
        color: Theme.ownMessage

        Column {
            id: content
            x: Theme.medium
            y: Theme.medium
            width: parent.width - 2 * Theme.medium
            spacing: Theme.small

            Repeater {
                model: question.message.pictures
                delegate: Row {
                    id: row
                    required property var modelData
                    spacing: Theme.small
                    width: content.width

                    PictureThumb {
                        id: thumb
                        picture: row.modelData
                        onOpened: question.pictureOpened(row.modelData)
                    }
                    Column {
                        anchors.verticalCenter: parent.verticalCenter
                        width: row.width - thumb.width - row.spacing
                        spacing: 2
                        Words {
                            width: parent.width
                            text: row.modelData.name
                            font.pixelSize: Theme.secondarySize
                        }
                        Words {
                            width: parent.width
                            secondary: true
                            text: qsTr("%1 → %2").arg(Format.size(row.modelData.size)).arg(Format.size(row.modelData.modelSize))
                        }
                        Words {
                            width: parent.width
                            secondary: true
                            text: Format.tokens(row.modelData.tokens)
                        }
                    }
                }
            }
            TextEdit {
                width: parent.width
                visible: text !== ""
                readOnly: true
                selectByMouse: true
                wrapMode: question.message.longRun ? TextEdit.WrapAnywhere : TextEdit.Wrap
                textFormat: TextEdit.PlainText
                text: question.message.text
                font.pixelSize: Theme.textSize
                color: Theme.text
                selectionColor: Theme.accent
                selectedTextColor: Theme.accentText
                activeFocusOnTab: false
                Accessible.role: Accessible.StaticText
                Accessible.name: qsTr("You asked: %1").arg(text)
            }
        }

        LinkButton {
            id: editor
            anchors.right: parent.left
            anchors.rightMargin: Theme.small
            anchors.verticalCenter: parent.verticalCenter
            text: qsTr("Edit")
            onClicked: question.editAsked()
        }
    }
}
