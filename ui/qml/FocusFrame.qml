import QtQuick

// Shows which control the keyboard is at.
Rectangle {
    anchors.fill: parent
    anchors.margins: -3
    color: "transparent"
    border.color: Theme.accent
    border.width: 2
    radius: Theme.controlRadius + 3
}
