import QtQuick
import QtQuick.Layouts
import PopLens.Core

// Model and device at the left, the screens at the right.
Rectangle {
    id: header

    required property EngineState engine
    required property string screen
    signal screenAsked(string screen)
    signal panelToggled

    implicitHeight: 52
    color: Theme.surface

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: Theme.large
        anchors.rightMargin: Theme.large
        spacing: Theme.small

        ModelBadge {
            Layout.maximumWidth: implicitWidth
            Layout.fillWidth: true
            engine: header.engine
            onClicked: header.screenAsked("models")
        }
        Item {
            Layout.fillWidth: true
        }
        PushButton {
            text: qsTr("Chat")
            current: header.screen === "chat"
            onClicked: header.screenAsked("chat")
        }
        PushButton {
            text: qsTr("Compare")
            current: header.screen === "compare"
            onClicked: header.screenAsked("compare")
        }
        PushButton {
            text: qsTr("Models")
            current: header.screen === "models"
            onClicked: header.screenAsked("models")
        }
        PushButton {
            iconPath: "M4 7 H11 M17 7 H20 M4 17 H7 M13 17 H20 M14 4 a3 3 0 1 0 0.01 0 M10 14 a3 3 0 1 0 0.01 0"
            hint: qsTr("Settings")
            current: header.screen === "settings"
            onClicked: header.screenAsked("settings")
        }
        PushButton {
            iconPath: "M4 5 H20 V19 H4 Z M15 5 V19"
            hint: qsTr("Show or hide the panel (F9)")
            onClicked: header.panelToggled()
        }
    }
    Rectangle {
        anchors.bottom: parent.bottom
        width: parent.width
        height: 1
        color: Theme.line
    }
}
