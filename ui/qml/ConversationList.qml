pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Templates as T
import PopLens.Core

// Conversations that are kept: new, search, open, rename, delete.
Item {
    id: sidebar

    required property ConversationListModel conversations
    required property string current
    signal begun
    signal opened(string conversation)
    signal exportAsked(string conversation, bool asJson)

    function search(): void {
        searchField.forceActiveFocus();
    }

    Column {
        id: head
        x: Theme.medium
        y: Theme.medium
        width: parent.width - 2 * Theme.medium
        spacing: Theme.small

        PushButton {
            id: newButton
            width: parent.width
            text: qsTr("New conversation")
            onClicked: sidebar.begun()
            contentItem: Item {
                Words {
                    anchors.verticalCenter: parent.verticalCenter
                    text: newButton.text
                }
                Words {
                    anchors.right: parent.right
                    anchors.verticalCenter: parent.verticalCenter
                    secondary: true
                    text: qsTr("Ctrl N")
                    Accessible.ignored: true
                }
            }
        }
        Field {
            id: searchField
            width: parent.width
            placeholderText: qsTr("Search")
            onTextEdited: sidebar.conversations.search = text
            Keys.onEscapePressed: {
                text = "";
                sidebar.conversations.search = "";
            }
            Keys.onDownPressed: list.forceActiveFocus()
        }
    }

    ListView {
        id: list
        anchors.top: head.bottom
        anchors.topMargin: Theme.medium
        anchors.bottom: parent.bottom
        x: Theme.medium
        width: parent.width - 2 * Theme.medium
        model: sidebar.conversations
        spacing: 2
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        activeFocusOnTab: true
        keyNavigationEnabled: true
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Conversations")
        ScrollBar.vertical: ScrollBar {}
        Keys.onReturnPressed: if (currentItem) (currentItem as T.ItemDelegate).clicked()
        Keys.onDeletePressed: if (currentIndex >= 0) question.ask(sidebar.conversations.idAt(currentIndex))
        Keys.onPressed: event => {
            const asksForMenu = event.key === Qt.Key_Menu || (event.key === Qt.Key_F10 && event.modifiers & Qt.ShiftModifier);
            event.accepted = currentItem !== null && (event.key === Qt.Key_F2 || asksForMenu);
            if (event.accepted && asksForMenu)
                actions.openFor(currentItem);
            else if (event.accepted)
                rename.ask(sidebar.conversations.idAt(currentIndex));
        }

        delegate: T.ItemDelegate {
            id: entry
            required property string conversationId
            required property string title
            required property string detail
            required property int index
            readonly property bool current: conversationId === sidebar.current

            width: list.width
            height: 55
            hoverEnabled: true
            Accessible.role: Accessible.ListItem
            Accessible.name: title + ", " + detail
            Accessible.onPressAction: entry.clicked()
            onClicked: {
                list.currentIndex = index;
                sidebar.opened(conversationId);
            }
            TapHandler {
                acceptedButtons: Qt.RightButton
                onTapped: actions.openFor(entry)
            }
            background: Rectangle {
                radius: Theme.controlRadius
                color: entry.current ? Theme.selection : entry.hovered ? Theme.sunken : "transparent"
                FocusFrame {
                    anchors.margins: 0
                    visible: list.activeFocus && entry.ListView.isCurrentItem
                }
            }
            contentItem: Item {
                Column {
                    anchors.verticalCenter: parent.verticalCenter
                    x: Theme.medium
                    width: parent.width - 2 * Theme.medium
                    spacing: 2
                    Words {
                        width: parent.width
                        text: entry.title
                        font.pixelSize: Theme.textSize
                    }
                    Words {
                        width: parent.width
                        secondary: true
                        text: entry.detail
                    }
                }
                PushButton {
                    anchors.right: parent.right
                    anchors.rightMargin: Theme.tiny
                    anchors.verticalCenter: parent.verticalCenter
                    visible: entry.hovered || hovered
                    flatLook: true
                    focusPolicy: Qt.NoFocus
                    iconPath: "M5 12 h0.01 M12 12 h0.01 M19 12 h0.01"
                    hint: qsTr("Rename, export or delete")
                    onClicked: actions.openFor(entry)
                }
            }
        }
    }

    Words {
        anchors.top: list.top
        anchors.topMargin: Theme.small
        x: Theme.huge
        width: parent.width - 2 * x
        visible: list.count === 0
        secondary: true
        wrapMode: Text.Wrap
        text: sidebar.conversations.search !== "" ? qsTr("No conversation holds these words.") : qsTr("Conversations are kept here.")
    }

    T.Popup {
        id: actions

        property string conversation

        function openFor(item: Item): void {
            const entry = item as T.ItemDelegate;
            conversation = sidebar.conversations.idAt(list.indexAt(entry.x, entry.y));
            const place = entry.mapToItem(sidebar, 0, entry.height);
            y = place.y;
            open();
        }

        x: Theme.medium
        width: parent.width - 2 * Theme.medium
        implicitHeight: contentHeight + topPadding + bottomPadding
        padding: Theme.tiny
        margins: Theme.tiny
        focus: true
        onOpened: contentItem.children[0].forceActiveFocus()
        contentItem: Column {
            MenuAction {
                width: actions.availableWidth
                text: qsTr("Rename")
                onClicked: {
                    actions.close();
                    rename.ask(actions.conversation);
                }
            }
            MenuAction {
                width: actions.availableWidth
                text: qsTr("Export as Markdown …")
                onClicked: {
                    actions.close();
                    sidebar.exportAsked(actions.conversation, false);
                }
            }
            MenuAction {
                width: actions.availableWidth
                text: qsTr("Export as JSON …")
                onClicked: {
                    actions.close();
                    sidebar.exportAsked(actions.conversation, true);
                }
            }
            MenuAction {
                width: actions.availableWidth
                text: qsTr("Delete")
                onClicked: {
                    actions.close();
                    question.ask(actions.conversation);
                }
            }
        }
        background: Rectangle {
            color: Theme.surface
            border.color: Theme.line
            radius: Theme.controlRadius
        }
    }

    TextQuestion {
        id: rename
        property string conversation
        function ask(id: string): void {
            conversation = id;
            value = sidebar.conversations.titleOf(id);
            open();
        }
        title: qsTr("Rename conversation")
        acceptText: qsTr("Rename")
        onAccepted: sidebar.conversations.rename(conversation, value)
    }

    Question {
        id: question
        property string conversation
        function ask(id: string): void {
            conversation = id;
            open();
        }
        title: qsTr("Delete this conversation?")
        detail: qsTr("Its messages and pictures are removed from this machine.")
        acceptText: qsTr("Delete")
        onAccepted: sidebar.conversations.remove(conversation)
    }
}
