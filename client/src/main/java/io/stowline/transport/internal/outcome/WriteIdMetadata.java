package io.stowline.transport.internal.outcome;

import io.stowline.transport.internal.request.RequestIds;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The id of a write in the metadata that it leaves, by which it is known again after a lost answer. Users never see it. */
public final class WriteIdMetadata {

    /** The name of the mark; users cannot have it. */
    public static final String NAME = "stowlinewrite";

    private static final int ID_LENGTH = 36;

    /** What it adds to the names and values of metadata. */
    public static final int SIZE = NAME.length() + ID_LENGTH;

    private WriteIdMetadata() {}

    /** Makes the id of a write. */
    public static String newId() {
        return RequestIds.next();
    }

    /**
     * Adds the mark.
     *
     * @param metadata what else is written
     * @return both
     */
    public static Map<String, String> in(Map<String, String> metadata, String id) {
        Map<String, String> marked = new HashMap<>(metadata);
        marked.put(NAME, id);
        return marked;
    }

    /**
     * Whether a name is that of the mark.
     *
     * @param name a name, in any case
     */
    public static boolean is(String name) {
        return NAME.equalsIgnoreCase(name);
    }

    /**
     * The id that stands in metadata, if one does.
     *
     * @param metadata what was read
     * @return the id, or {@code null}
     */
    public static @Nullable String of(@Nullable Map<String, String> metadata) {
        return StoredTexts.value(metadata, NAME);
    }

    /**
     * Metadata as its owner wrote it.
     *
     * @param metadata what was read
     * @return the same without the mark and the {@link SourceTime}, its names the same in any case
     */
    public static Map<String, String> hiddenIn(@Nullable Map<String, String> metadata) {
        Map<String, String> shown = new HashMap<>(StoredTexts.metadata(metadata));
        shown.keySet().removeIf(name -> is(name) || SourceTime.is(name));
        return StoredTexts.metadata(shown);
    }
}
