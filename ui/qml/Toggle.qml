import QtQuick
import QtQuick.Templates as T

T.Switch {
    id: toggle

    implicitWidth: Math.max(48, label.implicitWidth + 2 * Theme.medium)
    implicitHeight: 26
    font.pixelSize: Theme.controlSize
    hoverEnabled: true
    Accessible.role: Accessible.CheckBox
    Accessible.checkable: true
    Accessible.checked: checked
    Accessible.onToggleAction: toggle.toggle()
    Accessible.onPressAction: toggle.toggle()

    indicator: Item {}
    contentItem: Text {
        id: label
        text: toggle.checked ? qsTr("On") : qsTr("Off")
        textFormat: Text.PlainText
        font: toggle.font
        color: toggle.checked ? Theme.accentText : Theme.secondary
        horizontalAlignment: Text.AlignHCenter
        verticalAlignment: Text.AlignVCenter
    }
    background: Rectangle {
        radius: height / 2
        color: toggle.checked ? Theme.accent : toggle.hovered ? Theme.sunken : Theme.surface
        border.width: toggle.checked ? 0 : 1
        border.color: Theme.edge
        FocusFrame {
            visible: toggle.visualFocus
            radius: height / 2
        }
    }
}
