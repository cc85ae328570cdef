pragma Singleton
import QtQuick

// Figures as people read them: units always shown, thousands separated by the locale.
QtObject {
    function integer(value: real): string {
        return Number(Math.round(value)).toLocaleString(Qt.locale(), "f", 0);
    }

    // A small figure with one decimal, so that two of them can be told apart.
    function figure(value: real): string {
        return Number(value).toLocaleString(Qt.locale(), "f", value < 10 ? 1 : 0);
    }

    function ms(value: real): string {
        return qsTr("%1 ms").arg(figure(value));
    }

    function tokens(count: int): string {
        return count === 1 ? qsTr("1 token") : qsTr("%1 tokens").arg(integer(count));
    }

    function speed(tokensPerSecond: real): string {
        return qsTr("%1 tokens/s").arg(figure(tokensPerSecond));
    }

    function ratio(value: real): string {
        return qsTr("%1×").arg(Number(value).toLocaleString(Qt.locale(), "f", 2));
    }

    // "+0.02 nats"
    function nats(value: real): string {
        const figure = Number(Math.abs(value)).toLocaleString(Qt.locale(), "f", 2);
        return qsTr("%1%2 nats").arg(value < 0 ? "−" : "+").arg(figure);
    }

    function size(value: var): string {
        return value === undefined ? "" : qsTr("%1 × %2").arg(value.width).arg(value.height);
    }

    // "POP 12 of 36", "full model"
    function plan(prunedLayers: int, layers: int): string {
        return prunedLayers > 0 ? qsTr("POP %1 of %2").arg(prunedLayers).arg(layers) : qsTr("full model");
    }
}
