import QtQuick

// A line drawing on a grid of 24, in one colour.
Canvas {
    id: icon

    required property string path
    property color color: Theme.text
    property real strokeWidth: 1.6

    implicitWidth: 16
    implicitHeight: 16
    antialiasing: true
    Accessible.ignored: true
    onColorChanged: requestPaint()
    onPathChanged: requestPaint()
    onPaint: {
        const context = getContext("2d");
        context.reset();
        context.scale(width / 24, height / 24);
        context.strokeStyle = icon.color;
        context.lineWidth = icon.strokeWidth;
        context.lineCap = "round";
        context.lineJoin = "round";
        context.path = icon.path;
        context.stroke();
    }
}
