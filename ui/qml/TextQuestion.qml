import QtQuick

// A question that is answered with a text.
Question {
    id: question

    property alias value: field.text

    onOpened: {
        field.forceActiveFocus();
        field.selectAll();
    }

    Field {
        id: field
        width: parent.width
        placeholderText: question.title
        onAccepted: question.accept()
    }
}
