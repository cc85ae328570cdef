pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import PopLens.Core

// The conversation, and the composer at its foot.
FocusScope {
    id: screen

    required property Chat chat
    required property ScreenCapture capture
    property bool marksShown: true
    signal pictureOpened(var picture)
    signal markedPictureOpened(var marked)
    signal marksToggled
    signal linkAsked(string link)
    signal compareAsked(int row)

    readonly property real textWidth: Math.min(640, width - 2 * Theme.large)

    Keys.onPressed: event => {
        event.accepted = event.key === Qt.Key_PageUp || event.key === Qt.Key_PageDown;
        if (event.accepted)
            list.page(event.key === Qt.Key_PageUp ? -0.8 : 0.8);
    }

    ListView {
        id: list
        objectName: "conversation"

        property bool atEnd: true
        // Margins included, which positionViewAtEnd() leaves out.
        readonly property real firstY: originY - topMargin
        readonly property real lastY: Math.max(firstY, originY + contentHeight + bottomMargin - height)

        anchors.top: parent.top
        anchors.bottom: foot.top
        width: parent.width
        model: screen.chat.messages
        spacing: Theme.large
        topMargin: 20
        bottomMargin: Theme.huge
        clip: true
        cacheBuffer: 4000
        boundsBehavior: Flickable.StopAtBounds
        activeFocusOnTab: false
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Conversation")
        ScrollBar.vertical: ScrollBar {
            onPressedChanged: list.atEnd = !pressed && list.atYEnd
        }

        // Stays at the end while text streams, unless someone has scrolled away. A WheelHandler would keep the wheel from
        // the list, whatever it accepts.
        onMovementStarted: atEnd = false
        onMovementEnded: atEnd = atYEnd
        onContentHeightChanged: if (atEnd) toEnd.restart()
        onHeightChanged: if (atEnd) toEnd.restart()
        onCountChanged: {
            atEnd = true;
            toEnd.restart();
        }
        // Once, when all that has changed is laid out.
        Timer {
            id: toEnd
            interval: 0
            onTriggered: {
                if (!list.atEnd)
                    return;
                list.positionViewAtEnd();
                list.contentY = list.lastY;
            }
        }
        function page(pages: real): void {
            contentY = Math.max(firstY, Math.min(lastY, contentY + pages * height));
            atEnd = contentY >= lastY;
        }

        delegate: Item {
            id: entry
            required property ChatMessage message
            required property int index

            width: list.width
            height: childrenRect.height

            Lazy {
                active: entry.message.question
                QuestionMessage {
                    x: (entry.width - width) / 2
                    width: screen.textWidth
                    message: entry.message
                    onPictureOpened: picture => screen.pictureOpened(picture)
                    onEditAsked: {
                        screen.chat.edit(entry.index);
                        composer.takeFocus();
                    }
                }
            }
            Lazy {
                active: !entry.message.question
                AnswerMessage {
                    x: (entry.width - width) / 2
                    width: screen.textWidth
                    message: entry.message
                    busy: screen.chat.running
                    marksShown: screen.marksShown
                    onPictureOpened: marked => screen.markedPictureOpened(marked)
                    onMarksToggled: screen.marksToggled()
                    onCopyAsked: text => screen.chat.copy(text)
                    onRegenerateAsked: screen.chat.regenerate(entry.index)
                    onCompareAsked: screen.compareAsked(entry.index)
                    onLinkAsked: link => screen.linkAsked(link)
                }
            }
        }
    }

    Column {
        anchors.centerIn: list
        width: screen.textWidth
        spacing: Theme.small
        visible: screen.chat.messages.count === 0
        Words {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: qsTr("Drop a picture here and ask about it")
            font.pixelSize: Theme.titleSize
            strong: true
        }
        Words {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            wrapMode: Text.Wrap
            text: qsTr("Everything stays on this machine. You see what the model sees, and what each answer waited for.")
            color: Theme.secondary
        }
    }

    DropArea {
        id: overList
        anchors.fill: list
        keys: ["text/uri-list"]
        onDropped: event => {
            screen.chat.attachments.addFiles(event.urls);
            event.accept(Qt.CopyAction);
        }
    }

    Rectangle {
        id: foot
        anchors.bottom: parent.bottom
        width: parent.width
        height: composer.height + 2 * Theme.medium
        color: Theme.surface

        Rectangle {
            width: parent.width
            height: 1
            color: Theme.line
        }
        Composer {
            id: composer
            objectName: "composer"
            anchors.centerIn: parent
            width: screen.textWidth
            height: implicitHeight
            chat: screen.chat
            capture: screen.capture
            dragOutside: overList.containsDrag
            mostPictures: Math.max(116, screen.height * 0.35)
            onPictureOpened: picture => screen.pictureOpened(picture)
        }
    }
}
