import QtQuick
import QtQuick.Templates as T

T.ToolTip {
    id: tip

    property bool shown: false

    visible: shown && text !== ""
    delay: 500
    x: parent ? Math.round((parent.width - implicitWidth) / 2) : 0
    y: parent ? parent.height + Theme.tiny : 0
    implicitWidth: content.implicitWidth + 2 * Theme.small
    implicitHeight: content.implicitHeight + 2 * Theme.tiny
    padding: Theme.tiny
    margins: Theme.small
    font.pixelSize: Theme.secondarySize

    contentItem: Text {
        id: content
        text: tip.text
        textFormat: Text.PlainText
        font: tip.font
        color: Theme.text
        horizontalAlignment: Text.AlignHCenter
        verticalAlignment: Text.AlignVCenter
    }
    background: Rectangle {
        color: Theme.surface
        border.color: Theme.line
        radius: Theme.tiny + 2
    }
}
