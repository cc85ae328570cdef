pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Dialogs
import QtQuick.Layouts
import PopLens.Core

// Where a question is written and its pictures are gathered.
Rectangle {
    id: composer

    required property Chat chat
    required property ScreenCapture capture
    // How high the pictures may stand before they are scrolled.
    property real mostPictures: 240
    // A picture is held over what belongs to the composer.
    property bool dragOutside: false
    readonly property bool dropping: dragOutside || drop.containsDrag
    signal pictureOpened(var picture)

    function takeFocus(): void {
        input.forceActiveFocus();
        input.cursorPosition = input.length;
    }

    implicitHeight: content.height + 2 * Theme.medium
    radius: Theme.cardRadius
    color: Theme.background
    border.width: dropping ? 2 : 1
    border.color: dropping || input.activeFocus ? Theme.accent : Theme.edge

    Column {
        id: content
        x: Theme.medium
        y: Theme.medium
        width: parent.width - 2 * Theme.medium
        spacing: Theme.small

        Item {
            width: parent.width
            height: cancelEdit.height
            visible: composer.chat.editing
            Words {
                anchors.verticalCenter: parent.verticalCenter
                width: parent.width - cancelEdit.width - Theme.small
                secondary: true
                text: qsTr("Editing: the new question takes the place of the old one and of all that follows.")
            }
            LinkButton {
                id: cancelEdit
                anchors.right: parent.right
                text: qsTr("Cancel editing")
                onClicked: {
                    composer.chat.cancelEdit();
                    composer.takeFocus();
                }
            }
        }
        AttachmentStrip {
            width: parent.width
            attachments: composer.chat.attachments
            ahead: composer.chat.ahead
            mostHeight: composer.mostPictures
            onPictureOpened: picture => composer.pictureOpened(picture)
            onRemoved: composer.takeFocus()
        }

        Words {
            width: parent.width
            visible: text !== ""
            secondary: true
            wrapMode: Text.Wrap
            color: Theme.error
            text: composer.chat.obstacle
        }
        RowLayout {
            width: parent.width
            spacing: Theme.small

            Flickable {
                id: scroll
                Layout.fillWidth: true
                Layout.preferredHeight: Math.min(160, Math.max(Theme.controlHeight, input.implicitHeight))
                contentHeight: input.implicitHeight
                boundsBehavior: Flickable.StopAtBounds
                clip: true

                function keepVisible(cursor: rect): void {
                    if (cursor.y < contentY)
                        contentY = cursor.y;
                    else if (cursor.y + cursor.height > contentY + height)
                        contentY = cursor.y + cursor.height - height;
                }

                TextEdit {
                    id: input
                    width: scroll.width
                    height: Math.max(implicitHeight, scroll.height)
                    topPadding: (Theme.controlHeight - 20) / 2
                    bottomPadding: topPadding
                    wrapMode: composer.chat.longRun ? TextEdit.WrapAnywhere : TextEdit.Wrap
                    textFormat: TextEdit.PlainText
                    font.pixelSize: Theme.textSize
                    color: Theme.text
                    selectionColor: Theme.accent
                    selectedTextColor: Theme.accentText
                    selectByMouse: true
                    focus: true
                    text: composer.chat.draft
                    onTextChanged: composer.chat.draft = text
                    onCursorRectangleChanged: scroll.keepVisible(cursorRectangle)
                    Accessible.role: Accessible.EditableText
                    Accessible.name: placeholder.text
                    Accessible.multiLine: true
                    KeyNavigation.priority: KeyNavigation.BeforeItem
                    KeyNavigation.tab: addPicture
                    Keys.onPressed: event => {
                        if ((event.key === Qt.Key_Return || event.key === Qt.Key_Enter) && !(event.modifiers & Qt.ShiftModifier)) {
                            event.accepted = true;
                            composer.chat.send();
                        } else if (event.matches(StandardKey.Paste)) {
                            event.accepted = composer.chat.paste();
                        } else if (event.key === Qt.Key_Escape && composer.chat.running) {
                            event.accepted = true;
                            composer.chat.stop();
                        } else if (event.key === Qt.Key_Escape && composer.chat.editing) {
                            event.accepted = true;
                            composer.chat.cancelEdit();
                        }
                    }

                    Text {
                        id: placeholder
                        visible: input.text === "" && input.preeditText === ""
                        y: input.topPadding
                        width: input.width
                        elide: Text.ElideRight
                        text: composer.chat.attachments.count > 0 ? qsTr("Ask about the pictures") : qsTr("Ask, or drop a picture here")
                        font: input.font
                        color: Theme.secondary
                        Accessible.ignored: true
                    }
                }
            }

            PushButton {
                id: addPicture
                Layout.alignment: Qt.AlignBottom
                text: qsTr("+ Picture")
                hint: qsTr("Choose picture files (Ctrl+O)")
                onClicked: dialog.open()
            }
            PushButton {
                Layout.alignment: Qt.AlignBottom
                iconPath: "M3 5 H21 V16 H3 Z M8 20 H16 M12 16 V20"
                hint: qsTr("Take a picture of the screen (Ctrl+Shift+S)")
                onClicked: composer.capture.begin(Screen.name)
            }
            PushButton {
                id: sendButton
                Layout.alignment: Qt.AlignBottom
                visible: !composer.chat.running
                primary: true
                text: qsTr("Send")
                enabled: composer.chat.canSend
                hint: qsTr("Send (Enter)")
                onClicked: composer.chat.send()
            }
            PushButton {
                id: stopButton
                Layout.alignment: Qt.AlignBottom
                Layout.preferredWidth: Math.max(implicitWidth, sendButton.implicitWidth)
                visible: composer.chat.running
                primary: true
                text: qsTr("Stop")
                hint: qsTr("Stop the answer (Esc)")
                onClicked: composer.chat.stop()
            }
        }
    }

    DropArea {
        id: drop
        anchors.fill: parent
        keys: ["text/uri-list"]
        onDropped: event => {
            composer.chat.attachments.addFiles(event.urls);
            event.accept(Qt.CopyAction);
        }
    }

    Shortcut {
        sequence: "Ctrl+O"
        onActivated: dialog.open()
    }

    Shortcut {
        sequence: "Ctrl+Shift+S"
        onActivated: composer.capture.begin(composer.Screen.name)
    }

    FileDialog {
        id: dialog
        title: qsTr("Choose pictures")
        fileMode: FileDialog.OpenFiles
        nameFilters: [qsTr("Pictures (*.png *.jpg *.jpeg *.webp *.tif *.tiff *.bmp *.gif)"), qsTr("All files (*)")]
        onAccepted: composer.chat.attachments.addFiles(selectedFiles)
    }
}
