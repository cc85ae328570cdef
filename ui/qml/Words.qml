import QtQuick

Text {
    property bool secondary: false
    property bool strong: false

    color: secondary ? Theme.secondary : Theme.text
    font.pixelSize: secondary ? Theme.secondarySize : Theme.controlSize
    font.weight: strong ? Font.DemiBold : Font.Normal
    elide: Text.ElideRight
    textFormat: Text.PlainText
    verticalAlignment: Text.AlignVCenter
    Accessible.role: Accessible.StaticText
    Accessible.name: text
}
