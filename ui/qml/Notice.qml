import QtQuick

// One sentence over the screen until it is dismissed.
Rectangle {
    id: notice

    required property string text
    property bool good: false
    signal dismissed

    implicitHeight: Math.max(44, label.implicitHeight + 2 * Theme.small)
    visible: text !== ""
    color: Theme.surface
    Accessible.role: Accessible.AlertMessage
    Accessible.name: text

    Rectangle {
        width: 3
        height: parent.height
        color: notice.good ? Theme.ok : Theme.warning
    }
    Words {
        id: label
        anchors.left: parent.left
        anchors.leftMargin: Theme.large
        anchors.right: close.left
        anchors.rightMargin: Theme.small
        anchors.verticalCenter: parent.verticalCenter
        text: notice.text
        wrapMode: Text.Wrap
    }
    PushButton {
        id: close
        anchors.right: parent.right
        anchors.rightMargin: Theme.large
        anchors.verticalCenter: parent.verticalCenter
        flatLook: true
        text: qsTr("Dismiss")
        onClicked: notice.dismissed()
    }
    Rectangle {
        anchors.bottom: parent.bottom
        width: parent.width
        height: 1
        color: Theme.line
    }
}
