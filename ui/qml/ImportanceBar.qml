import QtQuick

// One stage's importance in a layer: a bar, or attention (filled) with FFN (hollow) on its top.
Item {
    id: bar

    required property real whole
    required property real attention
    required property real ffn
    required property bool apart
    required property real perNat // pixels
    required property color color

    function extent(nats: real): real {
        return Math.max(1, nats * perNat);
    }

    Rectangle {
        id: filled
        width: parent.width
        height: bar.extent(bar.apart ? bar.attention : bar.whole)
        y: parent.height - height
        radius: Math.min(1, width / 2)
        color: bar.color
    }
    Rectangle {
        visible: bar.apart && bar.ffn > 0
        width: parent.width
        height: bar.extent(bar.ffn)
        y: filled.y - height
        color: Qt.alpha(bar.color, 0.25)
        border.color: bar.color
    }
}
