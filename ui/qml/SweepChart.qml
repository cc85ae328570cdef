pragma ComponentBehavior: Bound
import QtQuick
import PopLens.Core

// Time to the first token (solid) and agreement with the full model (dashed) over the depth.
Column {
    id: chart

    required property SweepModel sweep
    property int hovered: -1

    readonly property var rows: read(sweep.count, sweep.mostMs)
    readonly property real deepest: rows.length > 0 ? rows[rows.length - 1].depth : 1
    spacing: Theme.tiny

    function read(count: int, most: real): var {
        const list = [];
        for (let i = 0; i < count; ++i) {
            const index = sweep.index(i, 0);
            list.push({
                depth: sweep.data(index, SweepModel.DepthRole),
                ms: sweep.data(index, SweepModel.TtftRole),
                agreement: sweep.data(index, SweepModel.AgreementRole)
            });
        }
        return list;
    }
    function place(depth: real): real {
        return plot.inset + depth / Math.max(1, deepest) * (plot.width - 2 * plot.inset);
    }
    function percent(share: real): string {
        return qsTr("%1 %").arg(Format.integer(share * 100));
    }
    function rowText(row: var): string {
        return qsTr("Depth %1: %2, %3 agreement").arg(row.depth).arg(Format.ms(row.ms)).arg(percent(row.agreement));
    }

    Item {
        width: parent.width
        height: 14
        visible: chart.rows.length > 0
        Words {
            text: Format.ms(chart.sweep.mostMs)
            color: Theme.secondary
            font.pixelSize: 10
        }
        Words {
            anchors.right: parent.right
            text: chart.percent(1)
            color: Theme.secondary
            font.pixelSize: 10
        }
    }
    Canvas {
        id: plot

        readonly property real inset: 8
        readonly property var colors: [Theme.prefill, Theme.decode, Theme.line, Theme.surface]

        width: parent.width
        height: 120
        antialiasing: true
        Accessible.role: Accessible.Chart
        Accessible.name: chart.rows.length > 0 ? qsTr("Sweep over depth. %1").arg(chart.rows.map(chart.rowText).join("; ")) : qsTr("Sweep over depth, not run yet")
        onColorsChanged: requestPaint()
        Connections {
            target: chart
            function onRowsChanged(): void {
                plot.requestPaint();
            }
            function onHoveredChanged(): void {
                plot.requestPaint();
            }
        }
        onPaint: {
            const context = getContext("2d");
            context.reset();
            const top = 4.5;
            const bottom = height - 4.5;
            context.lineWidth = 1;
            context.strokeStyle = Theme.line;
            for (const y of [top, (top + bottom) / 2, bottom]) {
                context.beginPath();
                context.moveTo(0, Math.round(y) + 0.5);
                context.lineTo(width, Math.round(y) + 0.5);
                context.stroke();
            }
            if (chart.hovered >= 0 && chart.hovered < chart.rows.length) {
                const x = Math.round(chart.place(chart.rows[chart.hovered].depth)) + 0.5;
                context.beginPath();
                context.moveTo(x, top);
                context.lineTo(x, bottom);
                context.stroke();
            }
            drawLine(context, row => row.ms / chart.sweep.mostMs, Theme.prefill, []);
            drawLine(context, row => row.agreement, Theme.decode, [2, 2]);
        }
        function drawLine(context: var, share: var, color: color, dashes: var): void {
            const y = row => height - 4.5 - share(row) * (height - 9);
            context.strokeStyle = color;
            context.fillStyle = color;
            context.lineWidth = 2;
            context.setLineDash(dashes);
            context.beginPath();
            chart.rows.forEach((row, i) => i === 0 ? context.moveTo(chart.place(row.depth), y(row)) : context.lineTo(chart.place(row.depth), y(row)));
            context.stroke();
            context.setLineDash([]);
            for (const row of chart.rows) {
                context.beginPath();
                context.arc(chart.place(row.depth), y(row), 2.5, 0, 2 * Math.PI);
                context.fill();
            }
        }

        HoverHandler {
            onPointChanged: chart.hovered = hovered ? chart.nearest(point.position.x) : -1
            onHoveredChanged: if (!hovered) chart.hovered = -1
        }
    }
    function nearest(x: real): int {
        let best = -1;
        rows.forEach((row, i) => {
            if (best < 0 || Math.abs(place(row.depth) - x) < Math.abs(place(rows[best].depth) - x))
                best = i;
        });
        return best;
    }

    Item {
        width: parent.width
        height: 14
        Repeater {
            model: chart.rows
            delegate: Words {
                required property var modelData
                x: Math.max(0, Math.min(chart.width - width, chart.place(modelData.depth) - width / 2))
                text: modelData.depth
                color: Theme.secondary
                font.pixelSize: 10
                Accessible.ignored: true
            }
        }
    }
    Flow {
        width: parent.width
        spacing: Theme.medium
        Repeater {
            model: [
                { name: qsTr("Time to first token"), color: Theme.prefill, dashed: false },
                { name: qsTr("Agreement with full"), color: Theme.decode, dashed: true }
            ]
            delegate: Row {
                id: entry
                required property var modelData
                spacing: 6
                Row {
                    anchors.verticalCenter: parent.verticalCenter
                    spacing: entry.modelData.dashed ? 3 : 0
                    Repeater {
                        model: 3
                        delegate: Rectangle {
                            width: entry.modelData.dashed ? 4 : 6
                            height: 2
                            color: entry.modelData.color
                        }
                    }
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
        text: chart.hovered >= 0 && chart.hovered < chart.rows.length ? chart.rowText(chart.rows[chart.hovered]) : " "
    }
}
