package io.stowline.queue;

/**
 * How the bytes of a body become the text that the service keeps. It says how a queue writes; what it reads may be in either form,
 * see {@link MessageQueue}.
 */
public enum MessageEncoding {
    /** Base64: carries any bytes, 49,152 at most. The default, and what the older storage libraries and Azure Functions expect. */
    BASE64,
    /**
     * The bytes themselves, as text: they have to be UTF-8 and hold only what XML 1.0 allows, 65,536 bytes at most. Readable by eye and
     * smaller on the wire; the default of the current Azure SDK.
     */
    NONE
}
