import QtQuick
import QtQuick.Templates as T

// How many layers are pruned: runs from the right, so that it covers what is pruned in the chart below it.
T.Slider {
    id: slider

    required property int layers
    required property int depth
    signal depthMoved(int depth)

    implicitWidth: 200
    implicitHeight: Theme.controlHeight
    padding: 0
    from: 0
    to: Math.max(1, layers)
    stepSize: 1
    snapMode: T.Slider.SnapAlways
    value: layers - depth
    hoverEnabled: true
    onMoved: depthMoved(layers - Math.round(value))
    Accessible.role: Accessible.Slider
    Accessible.name: qsTr("Layers pruned in the prefill: %1 of %2").arg(depth).arg(layers)

    function moveBy(by: int): void {
        depthMoved(Math.max(0, Math.min(layers, depth + by)));
    }
    // Left prunes one more: the knob goes where the arrow points.
    Keys.onPressed: event => {
        const steps = {
            [Qt.Key_Left]: 1,
            [Qt.Key_Down]: 1,
            [Qt.Key_Right]: -1,
            [Qt.Key_Up]: -1,
            [Qt.Key_PageDown]: 4,
            [Qt.Key_PageUp]: -4,
            [Qt.Key_Home]: layers,
            [Qt.Key_End]: -layers
        };
        if (event.key in steps) {
            event.accepted = true;
            moveBy(steps[event.key]);
        }
    }

    readonly property real knobX: width * (1 - depth / Math.max(1, layers))

    background: Item {
        Rectangle {
            y: (parent.height - height) / 2
            width: parent.width
            height: 4
            radius: 2
            color: Theme.edge
        }
        Rectangle {
            x: slider.knobX
            y: (parent.height - height) / 2
            width: parent.width - x
            height: 4
            radius: 2
            color: Theme.accent
        }
    }
    handle: Rectangle {
        x: slider.knobX - width / 2
        y: (slider.height - height) / 2
        width: 18
        height: 18
        radius: 9
        color: Theme.surface
        border.width: slider.visualFocus ? 2 : 1
        border.color: Theme.accent
        Rectangle {
            anchors.centerIn: parent
            width: 12
            height: 12
            radius: 6
            color: Theme.accent
        }
    }
}
