package io.stowline.outcome;

import io.stowline.projection.internal.edm.PropertyNames;

/**
 * The choice of the writes to tables that leave a marker in the entity, which identifies them after a lost response: a property of the name
 * {@link #PROPERTY} with the id of the write, about 60 bytes. Reading never shows it. An entity without room for it is written without it.
 */
public enum WriteMarkers {
    /**
     * Marks only {@code claim}. After a lost response a conditional update whose content is found counts as recovered,
     * although another writer may have written the same; a transaction cannot be settled.
     */
    CLAIMS,
    /**
     * Marks also conditional updates and merges, and one entity of each transaction that could not be repeated otherwise: where two writers
     * could take each other's content for their own. The default.
     */
    DECISIVE,
    /** Marks also inserts. */
    ALL;

    /** The property that holds the marker. Records and entities cannot have one of this name. */
    public static final String PROPERTY = PropertyNames.WRITE_MARKER;
}
