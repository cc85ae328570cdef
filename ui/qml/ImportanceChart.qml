pragma ComponentBehavior: Bound
import QtQuick
import PopLens.Core

// Importance of every layer, prefill and decode side by side; what is pruned is shaded.
Column {
    id: chart

    required property ImportanceModel importances
    required property int layers
    required property int depth

    readonly property real step: layers > 0 ? width / layers : width
    property int hovered: -1
    spacing: Theme.small

    function layerText(layer: int): string {
        const index = importances.index(layer, 0);
        const figure = role => Number(importances.data(index, role)).toLocaleString(Qt.locale(), "f", 3);
        return qsTr("Layer %1: prefill %2, decode %3 nats").arg(layer).arg(figure(ImportanceModel.PrefillRole)).arg(figure(ImportanceModel.DecodeRole));
    }

    Item {
        id: area
        width: parent.width
        height: 150
        Accessible.role: Accessible.Chart
        Accessible.name: qsTr("Importance by layer, prefill and decode; the last %1 of %2 layers are pruned").arg(chart.depth).arg(chart.layers)

        Rectangle {
            x: parent.width - width
            width: chart.depth * chart.step
            height: parent.height
            color: Theme.sunken
        }
        Repeater {
            model: 3
            delegate: Rectangle {
                required property int index
                y: Math.round(index * (area.height - 1) / 2)
                width: area.width
                height: 1
                color: Theme.line
            }
        }
        Repeater {
            model: chart.importances
            delegate: Item {
                id: layer
                required property real prefill
                required property real decode
                required property int index
                readonly property real scale: chart.importances.most > 0 ? (area.height - Theme.small) / chart.importances.most : 0

                x: index * chart.step
                width: chart.step
                height: area.height

                Rectangle {
                    visible: chart.hovered === layer.index
                    anchors.fill: parent
                    color: Theme.selection
                }
                Rectangle {
                    x: parent.width * 0.12
                    width: Math.max(1, parent.width * 0.36)
                    height: Math.max(1, layer.prefill * layer.scale)
                    y: parent.height - height
                    radius: Math.min(1, width / 2)
                    color: Theme.prefill
                }
                Rectangle {
                    x: parent.width * 0.52
                    width: Math.max(1, parent.width * 0.36)
                    height: Math.max(1, layer.decode * layer.scale)
                    y: parent.height - height
                    radius: Math.min(1, width / 2)
                    color: Theme.decode
                }
            }
        }
        HoverHandler {
            onPointChanged: chart.hovered = hovered ? Math.min(chart.layers - 1, Math.max(0, Math.floor(point.position.x / chart.step))) : -1
            onHoveredChanged: if (!hovered) chart.hovered = -1
        }
    }

    Item {
        width: parent.width
        height: 14
        Repeater {
            model: chart.layers > 0 ? [0, Math.round(chart.layers / 3), Math.round(2 * chart.layers / 3), chart.layers - 1] : []
            delegate: Words {
                required property int modelData
                required property int index
                x: Math.max(0, Math.min(chart.width - width, (modelData + 0.5) * chart.step - width / 2))
                text: modelData
                color: Theme.secondary
                font.pixelSize: 10
            }
        }
    }

    Flow {
        width: parent.width
        spacing: Theme.medium
        Repeater {
            model: [
                { name: qsTr("Prefill"), color: Theme.prefill },
                { name: qsTr("Decode"), color: Theme.decode },
                { name: qsTr("Pruned"), color: Theme.sunken }
            ]
            delegate: Row {
                id: entry
                required property var modelData
                spacing: 6
                Rectangle {
                    anchors.verticalCenter: parent.verticalCenter
                    width: 8
                    height: 8
                    radius: 2
                    color: entry.modelData.color
                    border.width: 1
                    border.color: Theme.line
                }
                Words {
                    secondary: true
                    text: entry.modelData.name
                }
            }
        }
    }
    Words {
        width: parent.width
        secondary: true
        text: chart.hovered >= 0 && chart.importances.count > chart.hovered ? chart.layerText(chart.hovered) : " "
    }
}
