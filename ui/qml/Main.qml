pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import PopLens.Core

ApplicationWindow {
    id: window

    required property Program program

    property string screen: "chat"
    property bool sidebarOpen: true
    property bool panelOpen: true
    // Below this the panel is a drawer.
    readonly property bool wide: width >= 900
    readonly property bool hasPanel: screen === "chat" || screen === "compare"

    width: 1280
    height: 800
    minimumWidth: 560
    minimumHeight: 420
    visible: true
    color: Theme.background
    title: program.chat.title !== "" ? qsTr("%1 – PopLens").arg(program.chat.title) : "PopLens"

    // The window is no part of the screen's picture.
    Connections {
        target: window.program.capture
        function onRunningChanged(): void {
            window.visible = !window.program.capture.running;
            if (window.visible)
                window.requestActivate();
        }
    }

    Binding {
        target: Theme
        property: "scheme"
        value: window.program.settings.scheme
    }

    function show(asked: string): void {
        if (asked === "compare")
            program.compare.openCurrent();
        if (asked !== screen)
            leaveField();
        screen = asked;
        if (asked === "chat")
            chatScreen.forceActiveFocus();
    }

    // What was typed in a field counts when it loses the keys, which it does not when it goes with its screen.
    function leaveField(): void {
        body.forceActiveFocus();
    }
    onClosing: leaveField()

    function toggleMarks(): void {
        program.settings.showMarks = !program.settings.showMarks;
    }

    function togglePanel(): void {
        if (wide)
            panelOpen = !panelOpen;
        else
            drawer.visible ? drawer.close() : drawer.open();
    }

    header: Column {
        Header {
            width: parent.width
            engine: window.program.engine
            screen: window.screen
            onScreenAsked: screen => window.show(screen)
            onPanelToggled: window.togglePanel()
        }
        Notice {
            width: parent.width
            text: window.program.notice
            good: window.program.noticeIsGood
            onDismissed: window.program.dismissNotice()
        }
    }

    Item {
        id: body
        anchors.fill: parent

        ConversationList {
            id: sidebar
            visible: width > 0
            width: window.sidebarOpen ? 232 : 0
            height: parent.height
            conversations: window.program.conversations
            current: window.program.chat.conversation
            onBegun: {
                window.show("chat");
                window.program.chat.begin();
            }
            onOpened: conversation => {
                if (window.screen !== "chat")
                    window.show("chat");
                window.program.chat.open(conversation);
            }
            onExportAsked: (conversation, asJson) => exportDialog.ask(conversation, asJson)
        }
        Rectangle {
            x: sidebar.width
            visible: sidebar.visible
            width: 1
            height: parent.height
            color: Theme.line
        }
        ChatScreen {
            id: chatScreen
            visible: window.screen === "chat"
            anchors.left: sidebar.right
            anchors.leftMargin: 1
            anchors.right: panel.left
            height: parent.height
            focus: true
            chat: window.program.chat
            capture: window.program.capture
            marksShown: window.program.settings.showMarks
            onPictureOpened: picture => viewer.show(picture)
            onMarkedPictureOpened: marked => viewer.showMarked(marked)
            onMarksToggled: window.toggleMarks()
            onLinkAsked: link => linkQuestion.ask(link)
            onCompareAsked: row => {
                window.program.compare.openAnswer(row);
                window.leaveField();
                window.screen = "compare";
            }
        }
        Item {
            id: otherScreen
            anchors.left: sidebar.right
            anchors.leftMargin: 1
            anchors.right: panel.left
            height: parent.height
            visible: window.screen !== "chat"

            Lazy {
                active: window.screen === "compare"
                CompareScreen {
                    anchors.fill: parent
                    compare: window.program.compare
                    layers: window.program.engine.layers
                    onPictureOpened: picture => viewer.show(picture)
                    onLinkAsked: link => linkQuestion.ask(link)
                    onChatAsked: window.show("chat")
                    Component.onCompleted: forceActiveFocus()
                }
            }
            Lazy {
                active: window.screen === "models"
                ModelsScreen {
                    anchors.fill: parent
                    models: window.program.models
                    engine: window.program.engine
                    Component.onCompleted: forceActiveFocus()
                }
            }
            Lazy {
                active: window.screen === "settings"
                SettingsScreen {
                    anchors.fill: parent
                    settings: window.program.settings
                    chat: window.program.chat
                    conversation: window.program.conversationSettings
                    dataFolder: window.program.dataFolder
                    Component.onCompleted: forceActiveFocus()
                }
            }
        }
        Rectangle {
            id: panel
            anchors.right: parent.right
            width: window.hasPanel && window.wide && window.panelOpen ? 344 : 0
            height: parent.height
            color: Theme.surface
            clip: true
            Rectangle {
                width: 1
                height: parent.height
                color: Theme.line
            }
            SidePanel {
                x: 1
                width: 343
                height: parent.height
                active: panel.width > 0
                screen: window.screen
                program: window.program
            }
        }
    }

    Drawer {
        id: drawer
        edge: Qt.RightEdge
        width: Math.min(344, window.width - 48)
        height: window.height
        interactive: !window.wide && window.hasPanel
        modal: false
        // A popup takes the keys while it is open: the window's own F9 does not reach it.
        Shortcut {
            sequence: "F9"
            enabled: drawer.opened
            onActivated: drawer.close()
        }
        background: Rectangle {
            color: Theme.surface
            Rectangle {
                width: 1
                height: parent.height
                color: Theme.line
            }
        }
        SidePanel {
            anchors.fill: parent
            active: drawer.visible
            screen: window.screen
            program: window.program
        }
    }
    PictureViewer {
        id: viewer
        marksShown: window.program.settings.showMarks
        onMarksToggled: window.toggleMarks()
    }
    ExportDialog {
        id: exportDialog
        exporter: window.program.exporter
    }
    Question {
        id: linkQuestion
        property string link
        function ask(to: string): void {
            link = to;
            open();
        }
        title: qsTr("Open this link?")
        detail: link
        acceptText: qsTr("Open in browser")
        onAccepted: Qt.openUrlExternally(link)
    }

    Shortcut {
        sequence: "Ctrl+N"
        onActivated: sidebar.begun()
    }
    Shortcut {
        sequence: "Ctrl+E"
        enabled: window.program.chat.conversation !== ""
        onActivated: exportDialog.ask(window.program.chat.conversation, false)
    }
    Shortcut {
        sequence: "Ctrl+F"
        onActivated: {
            window.sidebarOpen = true;
            sidebar.search();
        }
    }
    Repeater {
        model: ["chat", "compare", "models", "settings"]
        delegate: Item {
            id: place
            required property string modelData
            required property int index
            Shortcut {
                sequence: "Alt+" + (place.index + 1)
                onActivated: window.show(place.modelData)
            }
        }
    }
    Shortcut {
        sequence: "F9"
        enabled: !drawer.opened
        onActivated: window.togglePanel()
    }
    Shortcut {
        sequence: "Ctrl+B"
        onActivated: window.sidebarOpen = !window.sidebarOpen
    }
    Shortcut {
        sequence: "Ctrl+Q"
        onActivated: window.close()
    }
}
