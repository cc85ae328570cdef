import QtQuick

Text {
    property bool secondary: false
    property bool strong: false

    color: secondary ? Theme.secondary : Theme.text
    font.pixelSize: secondary ? Theme.secondarySize : Theme.controlSize
    font.weight: strong ? Font.DemiBold : Font.Normal
    // The same shapes at every scale: hinted for one, the painter without a GPU cuts capitals off at another.
    font.hintingPreference: Font.PreferNoHinting
    elide: Text.ElideRight
    textFormat: Text.PlainText
    verticalAlignment: Text.AlignVCenter
    Accessible.role: Accessible.StaticText
    Accessible.name: text
}
