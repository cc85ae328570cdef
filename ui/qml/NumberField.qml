import QtQuick

// A number in a range, in the locale's spelling. What is out of range, or no number, does not count.
Field {
    id: field

    required property string name
    required property real value
    property real from: 0
    property real to: 1
    property int decimals: 2
    signal chosen(real value)

    // No more digits than it has, and no separators that would have to be typed.
    function show(): void {
        text = String(Number(value.toFixed(decimals))).replace(".", Qt.locale().decimalPoint);
    }

    implicitWidth: 96
    horizontalAlignment: TextInput.AlignRight
    inputMethodHints: Qt.ImhFormattedNumbersOnly
    validator: DoubleValidator {
        bottom: field.from
        top: field.to
        decimals: field.decimals
        notation: DoubleValidator.StandardNotation
    }
    Accessible.name: name
    Component.onCompleted: show()
    onValueChanged: show()
    onEditingFinished: {
        chosen(Number.fromLocaleString(Qt.locale(), text));
        show();
    }
    onActiveFocusChanged: if (!activeFocus) show()
    Keys.onEscapePressed: show()
}
