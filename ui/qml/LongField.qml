import QtQuick

// Several lines of text that are edited in place.
Rectangle {
    id: area

    required property string name
    property string placeholder: ""
    required property string value
    signal chosen(string text)

    implicitHeight: Math.max(76, input.implicitHeight + 2 * Theme.small)
    radius: Theme.controlRadius
    color: Theme.surface
    border.width: input.activeFocus ? 2 : 1
    border.color: input.activeFocus ? Theme.accent : Theme.edge

    onValueChanged: if (input.text !== value) input.text = value

    TextEdit {
        id: input
        anchors.fill: parent
        anchors.margins: Theme.small
        anchors.leftMargin: Theme.medium
        anchors.rightMargin: Theme.medium
        wrapMode: TextEdit.Wrap
        textFormat: TextEdit.PlainText
        font.pixelSize: Theme.controlSize
        color: Theme.text
        selectionColor: Theme.accent
        selectedTextColor: Theme.accentText
        selectByMouse: true
        activeFocusOnTab: true
        Component.onCompleted: text = area.value
        onActiveFocusChanged: if (!activeFocus) area.chosen(text)
        Accessible.role: Accessible.EditableText
        Accessible.name: area.name
        Accessible.multiLine: true
        KeyNavigation.priority: KeyNavigation.BeforeItem
        Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
        Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)

        Text {
            visible: input.text === "" && input.preeditText === ""
            width: parent.width
            text: area.placeholder
            wrapMode: Text.Wrap
            textFormat: Text.PlainText
            font: input.font
            color: Theme.secondary
            Accessible.ignored: true
        }
    }
}
