<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>AnswerMessage</name>
    <message>
        <source>The answer is empty: the model ended it at once.</source>
        <translation>La respuesta está vacía: el modelo la terminó enseguida.</translation>
    </message>
    <message>
        <source>Stopped before the first token.</source>
        <translation>Parada antes del primer token.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Parada.</translation>
    </message>
    <message>
        <source>to first token</source>
        <translation>hasta el primer token</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Regenerar</translation>
    </message>
    <message>
        <source>Compare with full</source>
        <translation>Comparar con el completo</translation>
    </message>
    <message>
        <source>Compare with POP</source>
        <translation>Comparar con POP</translation>
    </message>
    <message>
        <source>%1 from the cache</source>
        <translation>%1 de la caché</translation>
    </message>
    <message>
        <source>picture features from the cache</source>
        <translation>rasgos de la imagen de la caché</translation>
    </message>
    <message>
        <source>%1 done while you typed</source>
        <translation>%1 hechos mientras escribías</translation>
    </message>
</context>
<context>
    <name>AttachmentStrip</name>
    <message>
        <source>%1 · encoding while you type … %2 %</source>
        <translation>%1 · codificando mientras escribes … %2 %</translation>
    </message>
    <message>
        <source>%1 · read already</source>
        <translation>%1 · ya leída</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>reading …</source>
        <translation>leyendo …</translation>
    </message>
    <message>
        <source>Remove picture %1</source>
        <translation>Quitar la imagen %1</translation>
    </message>
    <message>
        <source>%1 of %2 pictures cannot be sent</source>
        <translation>%1 de %2 imágenes no se pueden enviar</translation>
    </message>
    <message>
        <source>%1 pictures</source>
        <translation>%1 imágenes</translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation>Quitar todas</translation>
    </message>
</context>
<context>
    <name>ChatDatabase</name>
    <message>
        <source>The file of conversations is damaged (%1). It was kept as %2, and a new one was begun.</source>
        <translation>El archivo de conversaciones está dañado (%1). Se ha guardado como %2, y se ha empezado uno nuevo.</translation>
    </message>
</context>
<context>
    <name>ChatScreen</name>
    <message>
        <source>Conversation</source>
        <translation>Conversación</translation>
    </message>
    <message>
        <source>Drop a picture here and ask about it</source>
        <translation>Suelta aquí una imagen y pregunta sobre ella</translation>
    </message>
    <message>
        <source>Everything stays on this machine. You see what the model sees, and what each answer waited for.</source>
        <translation>Todo se queda en este equipo. Ves lo que ve el modelo, y a qué esperó cada respuesta.</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>code</source>
        <translation>código</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Copiar código</translation>
    </message>
</context>
<context>
    <name>CompareScreen</name>
    <message>
        <source>Stop</source>
        <translation>Parar</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Ejecutar de nuevo</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparar</translation>
    </message>
    <message>
        <source>Stop the comparison (Esc)</source>
        <translation>Parar la comparación (Esc)</translation>
    </message>
    <message>
        <source>Answer the question with both</source>
        <translation>Responder la pregunta con ambos</translation>
    </message>
    <message>
        <source>Runs each:</source>
        <translation>Ejecuciones de cada uno:</translation>
    </message>
    <message>
        <source>Measured runs of each, after one that warms up; figures are their medians</source>
        <translation>Ejecuciones medidas de cada uno, tras una de calentamiento; las cifras son sus medianas</translation>
    </message>
    <message>
        <source>Pictures:</source>
        <translation>Imágenes:</translation>
    </message>
    <message>
        <source>encoded in every run</source>
        <translation>codificadas en cada ejecución</translation>
    </message>
    <message>
        <source>encoded once, shared</source>
        <translation>codificadas una vez, compartidas</translation>
    </message>
    <message>
        <source>Whether the vision encoder&apos;s time counts, or both sides begin from its features</source>
        <translation>Si cuenta el tiempo del codificador visual, o ambos lados parten de sus rasgos</translation>
    </message>
    <message>
        <source>Full model</source>
        <translation>Modelo completo</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 capas</translation>
    </message>
    <message>
        <source>POP</source>
        <translation>POP</translation>
    </message>
    <message>
        <source>%1 of %2 pruned in the prefill</source>
        <translation>%1 de %2 podadas en el prefill</translation>
    </message>
    <message>
        <source>Sooner by</source>
        <translation>Más rápido</translation>
    </message>
    <message>
        <source>Prefill alone</source>
        <translation>Solo el prefill</translation>
    </message>
    <message>
        <source>Same answer</source>
        <translation>Misma respuesta</translation>
    </message>
    <message>
        <source>Same text for</source>
        <translation>Mismo texto durante</translation>
    </message>
    <message>
        <source>First token, KL</source>
        <translation>Primer token, KL</translation>
    </message>
    <message>
        <source>%1 nats</source>
        <translation>%1 nats</translation>
    </message>
    <message>
        <source>Export ▾</source>
        <translation>Exportar ▾</translation>
    </message>
    <message>
        <source>As JSON …</source>
        <translation>Como JSON …</translation>
    </message>
    <message>
        <source>As CSV …</source>
        <translation>Como CSV …</translation>
    </message>
    <message>
        <source>As a picture …</source>
        <translation>Como imagen …</translation>
    </message>
    <message>
        <source>Write these figures, and the sweep&apos;s, to a file</source>
        <translation>Escribir estas cifras, y las del barrido, en un archivo</translation>
    </message>
    <message>
        <source>Both answers are the same, word for word.</source>
        <translation>Las dos respuestas son iguales, palabra por palabra.</translation>
    </message>
    <message>
        <source>The answers part at token %1; from there on the passage is underlined in both.</source>
        <translation>Las respuestas se separan en el token %1; desde ahí el pasaje está subrayado en ambas.</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>the same seed and settings for both</source>
        <translation>la misma semilla y los mismos ajustes para ambos</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>Aún no hay nada que comparar</translation>
    </message>
    <message>
        <source>Write a question in the chat, with a picture or without. Here it is answered twice, by the full model and with prefill-only pruning, side by side.</source>
        <translation>Escribe una pregunta en el chat, con imagen o sin ella. Aquí se responde dos veces, con el modelo completo y con poda solo en el prefill, lado a lado.</translation>
    </message>
    <message>
        <source>Write a question</source>
        <translation>Escribe una pregunta</translation>
    </message>
    <message>
        <source>Export the comparison</source>
        <translation>Exportar la comparación</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Imágenes (*.png)</translation>
    </message>
</context>
<context>
    <name>ComparedAnswer</name>
    <message>
        <source>%1: first token after %2</source>
        <translation>%1: primer token tras %2</translation>
    </message>
    <message>
        <source>to first token</source>
        <translation>hasta el primer token</translation>
    </message>
    <message>
        <source>The answer is empty: the model ended it at once.</source>
        <translation>La respuesta está vacía: el modelo la terminó enseguida.</translation>
    </message>
    <message>
        <source>No answer yet.</source>
        <translation>Aún sin respuesta.</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Ask about the pictures</source>
        <translation>Pregunta sobre las imágenes</translation>
    </message>
    <message>
        <source>Ask, or drop a picture here</source>
        <translation>Pregunta, o suelta aquí una imagen</translation>
    </message>
    <message>
        <source>+ Picture</source>
        <translation>+ Imagen</translation>
    </message>
    <message>
        <source>Choose picture files (Ctrl+O)</source>
        <translation>Elegir archivos de imagen (Ctrl+O)</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Enviar</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Enviar (Intro)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Parar</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>Parar la respuesta (Esc)</translation>
    </message>
    <message>
        <source>Choose pictures</source>
        <translation>Elegir imágenes</translation>
    </message>
    <message>
        <source>Pictures (*.png *.jpg *.jpeg *.webp *.tif *.tiff *.bmp *.gif)</source>
        <translation>Imágenes (*.png *.jpg *.jpeg *.webp *.tif *.tiff *.bmp *.gif)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Take a picture of the screen (Ctrl+Shift+S)</source>
        <translation>Capturar la pantalla (Ctrl+Mayús+S)</translation>
    </message>
    <message>
        <source>Editing: the new question takes the place of the old one and of all that follows.</source>
        <translation>Edición: la pregunta nueva sustituye a la anterior y a todo lo que sigue.</translation>
    </message>
    <message>
        <source>Cancel editing</source>
        <translation>Cancelar la edición</translation>
    </message>
</context>
<context>
    <name>ConversationFile</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>picture</source>
        <translation>imagen</translation>
    </message>
    <message>
        <source>vision encoder</source>
        <translation>codificador visual</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>prefill</translation>
    </message>
    <message>
        <source>boundary</source>
        <translation>frontera</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>primer token</translation>
    </message>
    <message>
        <source>%1 to the first token (%2)</source>
        <translation>%1 hasta el primer token (%2)</translation>
    </message>
    <message>
        <source>%1 tokens read, %2 answered</source>
        <translation>%1 tokens leídos, %2 respondidos</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 tokens/s</translation>
    </message>
    <message>
        <source>POP %1 of %2</source>
        <translation>POP %1 de %2</translation>
    </message>
    <message>
        <source>full model</source>
        <translation>modelo completo</translation>
    </message>
    <message>
        <source>*%1: this picture is no longer there*</source>
        <translation>*%1: esta imagen ya no está*</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Respuesta</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Pregunta</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Parada.</translation>
    </message>
    <message>
        <source>%1 pictures</source>
        <translation>%1 imágenes</translation>
    </message>
    <message>
        <source>System prompt:</source>
        <translation>Instrucción de sistema:</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Conversación</translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <source>New conversation</source>
        <translation>Conversación nueva</translation>
    </message>
    <message>
        <source>Ctrl N</source>
        <translation>Ctrl N</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Buscar</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Conversaciones</translation>
    </message>
    <message>
        <source>No conversation holds these words.</source>
        <translation>Ninguna conversación contiene estas palabras.</translation>
    </message>
    <message>
        <source>Conversations are kept here.</source>
        <translation>Las conversaciones se guardan aquí.</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Renombrar</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Borrar</translation>
    </message>
    <message>
        <source>Rename conversation</source>
        <translation>Renombrar la conversación</translation>
    </message>
    <message>
        <source>Delete this conversation?</source>
        <translation>¿Borrar esta conversación?</translation>
    </message>
    <message>
        <source>Its messages and pictures are removed from this machine.</source>
        <translation>Sus mensajes e imágenes se eliminan de este equipo.</translation>
    </message>
    <message>
        <source>Rename, export or delete</source>
        <translation>Renombrar, exportar o eliminar</translation>
    </message>
    <message>
        <source>Export as Markdown …</source>
        <translation>Exportar como Markdown …</translation>
    </message>
    <message>
        <source>Export as JSON …</source>
        <translation>Exportar como JSON …</translation>
    </message>
</context>
<context>
    <name>DepthSlider</name>
    <message>
        <source>Layers pruned in the prefill: %1 of %2</source>
        <translation>Capas podadas en el prefill: %1 de %2</translation>
    </message>
</context>
<context>
    <name>DetailChoice</name>
    <message>
        <source>Detail:</source>
        <translation>Detalle:</translation>
    </message>
    <message>
        <source>as the model is set</source>
        <translation>como viene el modelo</translation>
    </message>
    <message>
        <source>64 tokens</source>
        <translation>64 tokens</translation>
    </message>
    <message>
        <source>256 tokens</source>
        <translation>256 tokens</translation>
    </message>
    <message>
        <source>1,024 tokens</source>
        <translation>1.024 tokens</translation>
    </message>
    <message>
        <source>4,096 tokens</source>
        <translation>4.096 tokens</translation>
    </message>
    <message>
        <source>How many tokens a picture may take: fewer are read sooner, and show less</source>
        <translation>Cuántos tokens puede ocupar una imagen: menos se leen antes, y muestran menos</translation>
    </message>
</context>
<context>
    <name>DeviceText</name>
    <message>
        <source>1 thread</source>
        <translation>1 hilo</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 hilos</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>No answer</source>
        <translation>Sin respuesta</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export the conversation</source>
        <translation>Exportar la conversación</translation>
    </message>
    <message>
        <source>JSON with all figures (*.json)</source>
        <translation>JSON con todas las cifras (*.json)</translation>
    </message>
    <message>
        <source>Markdown with pictures (*.md)</source>
        <translation>Markdown con imágenes (*.md)</translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 tokens</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 tokens/s</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>%1%2 nats</source>
        <translation>%1%2 nats</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>POP %1 of %2</source>
        <translation>POP %1 de %2</translation>
    </message>
    <message>
        <source>full model</source>
        <translation>modelo completo</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparar</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelos</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
    <message>
        <source>Show or hide the panel (F9)</source>
        <translation>Mostrar u ocultar el panel (F9)</translation>
    </message>
</context>
<context>
    <name>ImportanceChart</name>
    <message>
        <source>Layer %1: prefill %2, decode %3 nats</source>
        <translation>Capa %1: prefill %2, decodificación %3 nats</translation>
    </message>
    <message>
        <source>Importance by layer, prefill and decode; the last %1 of %2 layers are pruned</source>
        <translation>Importancia por capa, prefill y decodificación; las últimas %1 de %2 capas están podadas</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>Decodificación</translation>
    </message>
    <message>
        <source>Pruned</source>
        <translation>Podadas</translation>
    </message>
    <message>
        <source>Layer %1, prefill: attention %2, FFN %3 nats</source>
        <translation>Capa %1, prefill: atención %2, FFN %3 nats</translation>
    </message>
    <message>
        <source>Layer %1, decode: attention %2, FFN %3 nats</source>
        <translation>Capa %1, decodificación: atención %2, FFN %3 nats</translation>
    </message>
    <message>
        <source>Importance by layer, prefill and decode, attention and FFN apart; the last %1 of %2 layers are pruned</source>
        <translation>Importancia por capa, prefill y decodificación, atención y FFN por separado; se podan las últimas %1 de %2 capas</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Atención</translation>
    </message>
    <message>
        <source>FFN</source>
        <translation>FFN</translation>
    </message>
</context>
<context>
    <name>Main</name>
    <message>
        <source>%1 – PopLens</source>
        <translation>%1 – PopLens</translation>
    </message>
    <message>
        <source>Open this link?</source>
        <translation>¿Abrir este enlace?</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>Abrir en el navegador</translation>
    </message>
</context>
<context>
    <name>MarkedPicture</name>
    <message>
        <source>1 box</source>
        <translation>1 recuadro</translation>
    </message>
    <message>
        <source>%1 boxes</source>
        <translation>%1 recuadros</translation>
    </message>
    <message>
        <source>1 point</source>
        <translation>1 punto</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 puntos</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 y %2</translation>
    </message>
    <message>
        <source>without a label</source>
        <translation>sin etiqueta</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 y %2 más</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>MarkedThumb</name>
    <message>
        <source>Picture %1 with %2, show in full</source>
        <translation>Imagen %1 con %2, mostrar completa</translation>
    </message>
    <message>
        <source>Picture %1, show in full</source>
        <translation>Imagen %1, mostrar completa</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Hide marks</source>
        <translation>Ocultar marcas</translation>
    </message>
    <message>
        <source>Show marks</source>
        <translation>Mostrar marcas</translation>
    </message>
</context>
<context>
    <name>ModelBadge</name>
    <message>
        <source>Model: %1, %2</source>
        <translation>Modelo: %1, %2</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>%1: %2, %3. %4</source>
        <translation>%1: %2, %3. %4</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>En uso</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Stop loading %1</source>
        <translation>Dejar de cargar %1</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Cargar</translation>
    </message>
    <message>
        <source>Load %1 and answer with it</source>
        <translation>Cargar %1 y responder con él</translation>
    </message>
</context>
<context>
    <name>ModelsScreen</name>
    <message>
        <source>Models on this machine</source>
        <translation>Modelos en este equipo</translation>
    </message>
    <message>
        <source>looking …</source>
        <translation>buscando …</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Buscar de nuevo</translation>
    </message>
    <message>
        <source>Look for models once more</source>
        <translation>Buscar modelos otra vez</translation>
    </message>
    <message>
        <source>Add folder …</source>
        <translation>Añadir carpeta …</translation>
    </message>
    <message>
        <source>Look for models in a folder of yours too</source>
        <translation>Buscar modelos también en una carpeta tuya</translation>
    </message>
    <message>
        <source>No longer look in %1</source>
        <translation>No buscar más en %1</translation>
    </message>
    <message>
        <source>No models were found in the Hugging Face cache or in your own folders. Download one there, or add the folder that holds it.</source>
        <translation>No se encontraron modelos en la caché de Hugging Face ni en tus carpetas. Descarga uno allí, o añade la carpeta que lo contiene.</translation>
    </message>
    <message>
        <source>Choose a folder that holds models</source>
        <translation>Elige una carpeta que contenga modelos</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Dismiss</source>
        <translation>Descartar</translation>
    </message>
</context>
<context>
    <name>PicturePanel</name>
    <message>
        <source>Picture</source>
        <translation>Imagen</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Seen by the model</source>
        <translation>Vista por el modelo</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
</context>
<context>
    <name>PictureThumb</name>
    <message>
        <source>Picture %1, show in full</source>
        <translation>Imagen %1, mostrar entera</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
    <message>
        <source>Picture %1</source>
        <translation>Imagen %1</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 %</source>
        <translation>%1 · %2 · %3 %</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Ajustar</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>Tamaño real</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Picture %1 with %2</source>
        <translation>Imagen %1 con %2</translation>
    </message>
    <message>
        <source>Hide marks</source>
        <translation>Ocultar marcas</translation>
    </message>
    <message>
        <source>Show marks</source>
        <translation>Mostrar marcas</translation>
    </message>
    <message>
        <source>Boxes and points of the answer (M)</source>
        <translation>Recuadros y puntos de la respuesta (M)</translation>
    </message>
</context>
<context>
    <name>PopPanelView</name>
    <message>
        <source>Prefill-only pruning</source>
        <translation>Poda solo en el prefill</translation>
    </message>
    <message>
        <source>Layers pruned in the prefill</source>
        <translation>Capas podadas en el prefill</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>First token, predicted</source>
        <translation>Espera prevista</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>midiendo…</translation>
    </message>
    <message>
        <source>with a picture</source>
        <translation>con una imagen</translation>
    </message>
    <message>
        <source>(full %1)</source>
        <translation>(completo %1)</translation>
    </message>
    <message>
        <source>Prefill speed-up</source>
        <translation>Aceleración del prefill</translation>
    </message>
    <message>
        <source>Expected loss</source>
        <translation>Pérdida esperada</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>sin medir</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Auto allows a loss of</source>
        <translation>Auto permite perder</translation>
    </message>
    <message>
        <source>Loss that Auto allows, in nats an answer</source>
        <translation>Pérdida que Auto permite, en nats por respuesta</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>nats</translation>
    </message>
    <message>
        <source>(measured)</source>
        <translation>(medida)</translation>
    </message>
    <message>
        <source>(estimated)</source>
        <translation>(estimada)</translation>
    </message>
    <message>
        <source>The deepest plan that was measured to cost at most %1</source>
        <translation>El plan más profundo que, medido, cuesta como mucho %1</translation>
    </message>
    <message>
        <source>Needs measured losses: measure on a conversation again</source>
        <translation>Necesita pérdidas medidas: mide de nuevo en una conversación</translation>
    </message>
    <message>
        <source>Needs this model&apos;s importances</source>
        <translation>Necesita las importancias de este modelo</translation>
    </message>
    <message>
        <source>Question in full</source>
        <translation>Pregunta completa</translation>
    </message>
    <message>
        <source>Last token in full</source>
        <translation>Último token completo</translation>
    </message>
    <message>
        <source>What runs through every layer: all text after the last picture, or the last token alone</source>
        <translation>Lo que pasa por todas las capas: todo el texto tras la última imagen, o solo el último token</translation>
    </message>
    <message>
        <source>Importance by layer</source>
        <translation>Importancia por capa</translation>
    </message>
    <message>
        <source>this model, 1 sample</source>
        <translation>este modelo, 1 muestra</translation>
    </message>
    <message>
        <source>this model, %1 samples</source>
        <translation>este modelo, %1 muestras</translation>
    </message>
    <message>
        <source>Nothing has been measured of this model yet. Importances say what each layer does for the answer while the prompt is read in, and while the answer is written.</source>
        <translation>Aún no se ha medido nada de este modelo. Las importancias dicen lo que hace cada capa por la respuesta mientras se lee la entrada, y mientras se escribe la respuesta.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Measure on this conversation</source>
        <translation>Medir en esta conversación</translation>
    </message>
    <message>
        <source>Computes what each layer does for the answers above, and keeps it for this model</source>
        <translation>Calcula lo que hace cada capa por las respuestas de arriba, y lo guarda para este modelo</translation>
    </message>
    <message>
        <source>measuring, %1 %</source>
        <translation>midiendo, %1 %</translation>
    </message>
    <message>
        <source>Whole layers</source>
        <translation>Capas enteras</translation>
    </message>
    <message>
        <source>Attention and FFN apart</source>
        <translation>Atención y FFN por separado</translation>
    </message>
    <message>
        <source>What a bar stands for: a layer&apos;s two updates together, or each by itself</source>
        <translation>Lo que representa una barra: las dos actualizaciones de una capa juntas, o cada una por sí sola</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
</context>
<context>
    <name>QuestionMessage</name>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>You asked: %1</source>
        <translation>Preguntaste: %1</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Editar</translation>
    </message>
</context>
<context>
    <name>SettingsScreen</name>
    <message>
        <source>This conversation</source>
        <translation>Esta conversación</translation>
    </message>
    <message>
        <source>The one that begins with your next question</source>
        <translation>La que empieza con tu próxima pregunta</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Instrucción del sistema</translation>
    </message>
    <message>
        <source>What the model is told before your first question, for example: Answer in one sentence.</source>
        <translation>Lo que se le dice al modelo antes de tu primera pregunta, por ejemplo: Responde en una frase.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatura</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token; higher is more varied</source>
        <translation>0 toma siempre el token más probable; más alto es más variado</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Only the likeliest tokens that together have this share; 1 is off</source>
        <translation>Solo los tokens más probables que juntos suman esta parte; 1 lo desactiva</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Only so many of the likeliest tokens; 0 is off</source>
        <translation>Solo tantos de los tokens más probables; 0 lo desactiva</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Only tokens at least this likely beside the likeliest; 0 is off</source>
        <translation>Solo tokens al menos así de probables frente al más probable; 0 lo desactiva</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Penalización por repetición</translation>
    </message>
    <message>
        <source>Above 1, tokens that stand there already become less likely</source>
        <translation>Por encima de 1, los tokens que ya aparecen se vuelven menos probables</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Semilla</translation>
    </message>
    <message>
        <source>The same seed, question and settings give the same answer</source>
        <translation>La misma semilla, pregunta y ajustes dan la misma respuesta</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Respuesta más larga</translation>
    </message>
    <message>
        <source>In tokens</source>
        <translation>En tokens</translation>
    </message>
    <message>
        <source>Longest answer, in tokens</source>
        <translation>Respuesta más larga, en tokens</translation>
    </message>
    <message>
        <source>Settings of its own</source>
        <translation>Ajustes propios</translation>
    </message>
    <message>
        <source>Other than what new conversations begin with</source>
        <translation>Distinto de aquello con que empiezan las conversaciones nuevas</translation>
    </message>
    <message>
        <source>Set back</source>
        <translation>Restablecer</translation>
    </message>
    <message>
        <source>Take what new conversations begin with</source>
        <translation>Usar aquello con que empiezan las conversaciones nuevas</translation>
    </message>
    <message>
        <source>New conversations</source>
        <translation>Conversaciones nuevas</translation>
    </message>
    <message>
        <source>Temperature of new conversations</source>
        <translation>Temperatura de las conversaciones nuevas</translation>
    </message>
    <message>
        <source>Longest answer of new conversations, in tokens</source>
        <translation>Respuesta más larga en conversaciones nuevas, en tokens</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programa</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aspecto</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Como el escritorio</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Claro</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Oscuro</translation>
    </message>
    <message>
        <source>Colours of the program</source>
        <translation>Colores del programa</translation>
    </message>
    <message>
        <source>Read pictures while you type</source>
        <translation>Leer las imágenes mientras escribes</translation>
    </message>
    <message>
        <source>Encoding and prefill of a picture begin when it is attached, so that less is left to do after sending</source>
        <translation>La codificación y el prefill de una imagen empiezan al adjuntarla, para que quede menos por hacer después de enviar</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Hilos</translation>
    </message>
    <message>
        <source>Processor threads that calculate; holds from the next time a model is loaded</source>
        <translation>Hilos del procesador que calculan; vale desde la próxima vez que se cargue un modelo</translation>
    </message>
    <message>
        <source>as many as there are cores</source>
        <translation>tantos como núcleos</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Hilos del procesador</translation>
    </message>
    <message>
        <source>Conversations and pictures</source>
        <translation>Conversaciones e imágenes</translation>
    </message>
    <message>
        <source>Kept on this machine only, in %1</source>
        <translation>Se guardan solo en este equipo, en %1</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Mostrar la carpeta</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>Teclado</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Conversación nueva</translation>
    </message>
    <message>
        <source>Ctrl N</source>
        <translation>Ctrl N</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>Buscar conversaciones</translation>
    </message>
    <message>
        <source>Ctrl F</source>
        <translation>Ctrl F</translation>
    </message>
    <message>
        <source>Choose pictures</source>
        <translation>Elegir imágenes</translation>
    </message>
    <message>
        <source>Ctrl O</source>
        <translation>Ctrl O</translation>
    </message>
    <message>
        <source>Paste a picture</source>
        <translation>Pegar una imagen</translation>
    </message>
    <message>
        <source>Ctrl V</source>
        <translation>Ctrl V</translation>
    </message>
    <message>
        <source>Send, or a new line</source>
        <translation>Enviar, o línea nueva</translation>
    </message>
    <message>
        <source>Enter, Shift Enter</source>
        <translation>Intro, Mayús Intro</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Parar</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Chat, compare, models, settings</source>
        <translation>Chat, comparar, modelos, ajustes</translation>
    </message>
    <message>
        <source>Alt 1 to Alt 4</source>
        <translation>Alt 1 a Alt 4</translation>
    </message>
    <message>
        <source>Fold the conversations away</source>
        <translation>Plegar las conversaciones</translation>
    </message>
    <message>
        <source>Ctrl B</source>
        <translation>Ctrl B</translation>
    </message>
    <message>
        <source>Fold the panel away</source>
        <translation>Plegar el panel</translation>
    </message>
    <message>
        <source>F9</source>
        <translation>F9</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>Ctrl Q</source>
        <translation>Ctrl Q</translation>
    </message>
    <message>
        <source>Take a picture of the screen</source>
        <translation>Capturar la pantalla</translation>
    </message>
    <message>
        <source>Ctrl Shift S</source>
        <translation>Ctrl Mayús S</translation>
    </message>
    <message>
        <source>Export the conversation</source>
        <translation>Exportar la conversación</translation>
    </message>
    <message>
        <source>Ctrl E</source>
        <translation>Ctrl E</translation>
    </message>
    <message>
        <source>Marks in the full picture</source>
        <translation>Marcas en la imagen completa</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>Read up and down the conversation</source>
        <translation>Recorrer la conversación</translation>
    </message>
    <message>
        <source>Page Up, Page Down</source>
        <translation>Re Pág, Av Pág</translation>
    </message>
</context>
<context>
    <name>StageBar</name>
    <message>
        <source>First token after %1</source>
        <translation>Primer token tras %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>SweepChart</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Depth %1: %2, %3 agreement</source>
        <translation>Profundidad %1: %2, %3 de coincidencia</translation>
    </message>
    <message>
        <source>Sweep over depth. %1</source>
        <translation>Barrido de profundidades. %1</translation>
    </message>
    <message>
        <source>Sweep over depth, not run yet</source>
        <translation>Barrido de profundidades, aún no ejecutado</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>Tiempo hasta el primer token</translation>
    </message>
    <message>
        <source>Agreement with full</source>
        <translation>Coincidencia con el completo</translation>
    </message>
</context>
<context>
    <name>SweepPanel</name>
    <message>
        <source>Sweep over depth</source>
        <translation>Barrido de profundidades</translation>
    </message>
    <message>
        <source>Answers the question at about ten depths and shows how time to the first token and agreement with the full model change.</source>
        <translation>Responde la pregunta con unas diez profundidades y muestra cómo cambian el tiempo hasta el primer token y la coincidencia con el modelo completo.</translation>
    </message>
    <message>
        <source>Deepest with ≥ 97 % agreement</source>
        <translation>La mayor con ≥ 97 % de coincidencia</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>First token there</source>
        <translation>Primer token allí</translation>
    </message>
    <message>
        <source>Agreement is the share of the answer&apos;s tokens before it parts from the full model&apos;s. This is one question: another may bear more, or less.</source>
        <translation>La coincidencia es la parte de los tokens de la respuesta antes de que se separe de la del modelo completo. Es una sola pregunta: otra puede admitir más, o menos.</translation>
    </message>
    <message>
        <source>Stop sweep</source>
        <translation>Parar el barrido</translation>
    </message>
    <message>
        <source>Run sweep</source>
        <translation>Ejecutar el barrido</translation>
    </message>
    <message>
        <source>Takes as long as about ten comparisons</source>
        <translation>Tarda como unas diez comparaciones</translation>
    </message>
    <message>
        <source>Use this depth</source>
        <translation>Usar esta profundidad</translation>
    </message>
    <message>
        <source>Prune %1 of %2 layers in the next prefill</source>
        <translation>Podar %1 de %2 capas en el próximo prefill</translation>
    </message>
</context>
<context>
    <name>Toggle</name>
    <message>
        <source>On</source>
        <translation>Sí</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>No</translation>
    </message>
</context>
<context>
    <name>poplens::ui::AttachmentListModel</name>
    <message>
        <source>%1 is no file on this machine: save the picture first.</source>
        <translation>%1 no es un archivo de este equipo: guarda antes la imagen.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::Chat</name>
    <message>
        <source>Pasted picture.png</source>
        <translation>Imagen pegada.png</translation>
    </message>
    <message>
        <source>A question of %1 characters is too long: it may have %2.</source>
        <translation>Una pregunta de %1 caracteres es demasiado larga: puede tener %2.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ChatMessage</name>
    <message>
        <source>Remove the picture, or take an undamaged copy of its file.</source>
        <translation>Quita la imagen, o usa una copia de su archivo que no esté dañada.</translation>
    </message>
    <message>
        <source>Give the pictures a smaller budget, or begin a new conversation.</source>
        <translation>Da menos tokens a las imágenes, o empieza una conversación nueva.</translation>
    </message>
    <message>
        <source>Remove the picture, or choose a model that reads pictures.</source>
        <translation>Quita la imagen, o elige un modelo que lea imágenes.</translation>
    </message>
    <message>
        <source>Choose another model, or try again.</source>
        <translation>Elige otro modelo, o inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>Choose a smaller model, or close other programs.</source>
        <translation>Elige un modelo más pequeño, o cierra otros programas.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ChatStore</name>
    <message>
        <source>The conversation was not exported. %1.</source>
        <translation>La conversación no se exportó. %1.</translation>
    </message>
    <message>
        <source>Conversations cannot be kept this time: %1.</source>
        <translation>Esta vez las conversaciones no se pueden guardar: %1.</translation>
    </message>
    <message>
        <source>This could not be stored: %1.</source>
        <translation>Esto no se ha podido guardar: %1.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::Compare</name>
    <message>
        <source>seed %1</source>
        <translation>semilla %1</translation>
    </message>
    <message>
        <source>one warm-up and 1 run each</source>
        <translation>un calentamiento y 1 ejecución de cada uno</translation>
    </message>
    <message>
        <source>one warm-up and %1 runs each, order alternating</source>
        <translation>un calentamiento y %1 ejecuciones de cada uno, en orden alterno</translation>
    </message>
    <message>
        <source>picture features shared, no prompt cache</source>
        <translation>rasgos de la imagen compartidos, sin caché de la entrada</translation>
    </message>
    <message>
        <source>nothing from a cache</source>
        <translation>nada de una caché</translation>
    </message>
    <message>
        <source>waiting for the engine …</source>
        <translation>esperando al motor …</translation>
    </message>
    <message>
        <source>full model</source>
        <translation>modelo completo</translation>
    </message>
    <message>
        <source>POP</source>
        <translation>POP</translation>
    </message>
    <message>
        <source>Warming up, %1 … %2 %</source>
        <translation>Calentando, %1 … %2 %</translation>
    </message>
    <message>
        <source>Run %1 of %2, %3 … %4 %</source>
        <translation>Ejecución %1 de %2, %3 … %4 %</translation>
    </message>
    <message>
        <source>Stopped before it was done.</source>
        <translation>Parado antes de terminar.</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>Escrito en %1</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ConversationExporter</name>
    <message>
        <source>There is no conversation to export yet.</source>
        <translation>Todavía no hay conversación que exportar.</translation>
    </message>
    <message>
        <source>The conversation can be exported when its answer is complete.</source>
        <translation>La conversación se puede exportar cuando su respuesta esté completa.</translation>
    </message>
    <message>
        <source>%1 is no file on this machine.</source>
        <translation>%1 no es un archivo de este equipo.</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>Exportada a %1.</translation>
    </message>
    <message>
        <source>Exported to %1, with 1 picture beside it.</source>
        <translation>Exportada a %1, con 1 imagen al lado.</translation>
    </message>
    <message>
        <source>Exported to %1, with %2 pictures beside it.</source>
        <translation>Exportada a %1, con %2 imágenes al lado.</translation>
    </message>
    <message>
        <source>No longer there: %1.</source>
        <translation>Ya no están: %1.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ConversationListModel</name>
    <message>
        <source>today</source>
        <translation>hoy</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>ayer</translation>
    </message>
    <message>
        <source>1 picture</source>
        <translation>1 imagen</translation>
    </message>
    <message>
        <source>%1 pictures</source>
        <translation>%1 imágenes</translation>
    </message>
</context>
<context>
    <name>poplens::ui::EngineState</name>
    <message>
        <source>loading … %1 of %2</source>
        <translation>cargando … %1 de %2</translation>
    </message>
    <message>
        <source>loading …</source>
        <translation>cargando …</translation>
    </message>
    <message>
        <source>no model chosen</source>
        <translation>ningún modelo elegido</translation>
    </message>
    <message>
        <source>loads when it is needed</source>
        <translation>se carga cuando haga falta</translation>
    </message>
    <message>
        <source>cannot be loaded</source>
        <translation>no se puede cargar</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ImportanceModel</name>
    <message>
        <source>What was measured belongs to another state of this model&apos;s weights.</source>
        <translation>Lo medido corresponde a otro estado de los pesos de este modelo.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ModelListModel</name>
    <message>
        <source>comes with PopLens</source>
        <translation>viene con PopLens</translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation>Caché de Hugging Face</translation>
    </message>
    <message>
        <source>another program&apos;s</source>
        <translation>de otro programa</translation>
    </message>
    <message>
        <source>added folder</source>
        <translation>carpeta añadida</translation>
    </message>
    <message>
        <source>%1 B parameters</source>
        <translation>%1 mil millones de parámetros</translation>
    </message>
    <message>
        <source>%1 M parameters</source>
        <translation>%1 M de parámetros</translation>
    </message>
    <message>
        <source>%1 of weights</source>
        <translation>%1 de pesos</translation>
    </message>
    <message>
        <source>reads pictures</source>
        <translation>lee imágenes</translation>
    </message>
    <message>
        <source>text only</source>
        <translation>solo texto</translation>
    </message>
    <message>
        <source>Take the model&apos;s Hugging Face edition (a folder with .safetensors files).</source>
        <translation>Usa la edición de Hugging Face del modelo (una carpeta con archivos .safetensors).</translation>
    </message>
    <message>
        <source>Take a Qwen3-VL, Gemma 3 or Llama 3 model in its ordinary BF16 edition.</source>
        <translation>Usa un modelo Qwen3-VL, Gemma 3 o Llama 3 en su edición BF16 normal.</translation>
    </message>
    <message>
        <source>Download it once more: a file is missing or damaged.</source>
        <translation>Descárgalo otra vez: falta un archivo o está dañado.</translation>
    </message>
    <message>
        <source>Close other programs, or take a smaller model.</source>
        <translation>Cierra otros programas, o usa un modelo más pequeño.</translation>
    </message>
    <message>
        <source>needs %1 of %2 free</source>
        <translation>necesita %1 de %2 libres</translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation>Elige otro modelo.</translation>
    </message>
    <message>
        <source>%1 · %2 of memory free</source>
        <translation>%1 · %2 de memoria libre</translation>
    </message>
</context>
<context>
    <name>poplens::ui::PictureDesk</name>
    <message>
        <source>This model reads no pictures.</source>
        <translation>Este modelo no lee imágenes.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 is larger than 512 MB.</source>
        <translation>%1 ocupa más de 512 MB.</translation>
    </message>
    <message>
        <source>%1 cannot be stored as PNG.</source>
        <translation>%1 no se puede guardar como PNG.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::PortalRequest</name>
    <message>
        <source>The desktop&apos;s message bus cannot be reached, so that the screen cannot be taken: %1</source>
        <translation>No se puede acceder al bus de mensajes del escritorio, y por eso no se puede capturar la pantalla: %1</translation>
    </message>
    <message>
        <source>The desktop&apos;s portal ended before it gave a picture of the screen.</source>
        <translation>El portal del escritorio terminó antes de dar una imagen de la pantalla.</translation>
    </message>
    <message>
        <source>This desktop lets no program take the screen (%1); take it with the desktop&apos;s own program, and paste it.</source>
        <translation>Este escritorio no deja a ningún programa capturar la pantalla (%1); captúrela con el programa del escritorio y péguela.</translation>
    </message>
    <message>
        <source>The desktop gave no picture of the screen.</source>
        <translation>El escritorio no dio ninguna imagen de la pantalla.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ScreenCapture</name>
    <message>
        <source>The desktop gave no picture of the screen in time.</source>
        <translation>El escritorio no dio a tiempo ninguna imagen de la pantalla.</translation>
    </message>
    <message>
        <source>The screen cannot be taken here; take it with the desktop&apos;s own program, and paste it.</source>
        <translation>Aquí no se puede capturar la pantalla; captúrela con el programa del escritorio y péguela.</translation>
    </message>
    <message>
        <source>Screen.png</source>
        <translation>Pantalla.png</translation>
    </message>
</context>
<context>
    <name>poplens::ui::StageBarModel</name>
    <message>
        <source>the picture&apos;s features come from the cache</source>
        <translation>los rasgos de la imagen vienen de la caché</translation>
    </message>
    <message>
        <source>%1 tokens come from the cache</source>
        <translation>%1 tokens vienen de la caché</translation>
    </message>
    <message>
        <source>%1 tokens and the picture&apos;s features come from the cache</source>
        <translation>%1 tokens y los rasgos de la imagen vienen de la caché</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Espera</translation>
    </message>
    <message>
        <source>Decode + resize</source>
        <translation>Decodificar + escalar</translation>
    </message>
    <message>
        <source>Vision encoder</source>
        <translation>Codificador visual</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <source>Boundary</source>
        <translation>Frontera</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Primer token</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1, layer %2 of %3 · %4</source>
        <translation>%1, capa %2 de %3 · %4</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>poplens::ui::SweepModel</name>
    <message>
        <source>waiting for the engine …</source>
        <translation>esperando al motor …</translation>
    </message>
    <message>
        <source>Warming up … %1 %</source>
        <translation>Calentando … %1 %</translation>
    </message>
    <message>
        <source>Run %1 of %2 … %3 %</source>
        <translation>Ejecución %1 de %2 … %3 %</translation>
    </message>
</context>
</TS>
