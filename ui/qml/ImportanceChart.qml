pragma ComponentBehavior: Bound
import QtQuick
import PopLens.Core

// Importance of every layer, prefill and decode side by side; what is pruned is shaded.
Column {
    id: chart

    required property ImportanceModel importances
    required property int layers
    required property int depth
    // Attention and FFN each with its own Fisher term, in the place of whole layers.
    property bool apart: false

    readonly property real step: layers > 0 ? width / layers : width
    property int hovered: -1
    spacing: Theme.small

    function nats(layer: int, role: int): string {
        return Number(importances.figure(layer, role)).toLocaleString(Qt.locale(), "f", 3);
    }
    function layerText(layer: int): string {
        if (!apart)
            return qsTr("Layer %1: prefill %2, decode %3 nats").arg(layer).arg(nats(layer, ImportanceModel.PrefillRole)).arg(nats(layer, ImportanceModel.DecodeRole));
        return qsTr("Layer %1, prefill: attention %2, FFN %3 nats").arg(layer).arg(nats(layer, ImportanceModel.PrefillAttentionRole)).arg(nats(layer, ImportanceModel.PrefillFfnRole))
            + "\n" + qsTr("Layer %1, decode: attention %2, FFN %3 nats").arg(layer).arg(nats(layer, ImportanceModel.DecodeAttentionRole)).arg(nats(layer, ImportanceModel.DecodeFfnRole));
    }

    Item {
        id: area
        width: parent.width
        height: 150
        Accessible.role: Accessible.Chart
        Accessible.name: (chart.apart ? qsTr("Importance by layer, prefill and decode, attention and FFN apart; the last %1 of %2 layers are pruned")
                                      : qsTr("Importance by layer, prefill and decode; the last %1 of %2 layers are pruned")).arg(chart.depth).arg(chart.layers)

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
                required property real prefillAttention
                required property real prefillFfn
                required property real decodeAttention
                required property real decodeFfn
                required property int index
                readonly property real most: chart.apart ? chart.importances.mostApart : chart.importances.most
                readonly property real perNat: most > 0 ? (area.height - Theme.small) / most : 0

                x: index * chart.step
                width: chart.step
                height: area.height

                Rectangle {
                    visible: chart.hovered === layer.index
                    anchors.fill: parent
                    color: Theme.selection
                }
                ImportanceBar {
                    x: parent.width * 0.12
                    width: Math.max(1, parent.width * 0.36)
                    height: parent.height
                    apart: chart.apart
                    whole: layer.prefill
                    attention: layer.prefillAttention
                    ffn: layer.prefillFfn
                    perNat: layer.perNat
                    color: Theme.prefill
                }
                ImportanceBar {
                    x: parent.width * 0.52
                    width: Math.max(1, parent.width * 0.36)
                    height: parent.height
                    apart: chart.apart
                    whole: layer.decode
                    attention: layer.decodeAttention
                    ffn: layer.decodeFfn
                    perNat: layer.perNat
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
                { name: qsTr("Prefill"), color: Theme.prefill, edge: Theme.prefill },
                { name: qsTr("Decode"), color: Theme.decode, edge: Theme.decode },
                { name: qsTr("Pruned"), color: Theme.sunken, edge: Theme.edge },
                ...(chart.apart ? [
                    { name: qsTr("Attention"), color: Theme.secondary, edge: Theme.secondary },
                    { name: qsTr("FFN"), color: Qt.alpha(Theme.secondary, 0.25), edge: Theme.secondary }
                ] : [])
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
                    border.color: entry.modelData.edge
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
        // As high as it will be, so that nothing moves under the mouse.
        height: (chart.apart ? 2 : 1) * 18
        verticalAlignment: Text.AlignTop
        secondary: true
        text: chart.hovered >= 0 && chart.importances.count > chart.hovered ? chart.layerText(chart.hovered) : ""
    }
}
