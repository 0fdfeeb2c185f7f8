package io.stowline.outcome;

import io.stowline.projection.internal.edm.PropertyNames;

/**
 * Which writes to tables leave a mark in the entity, by which they can be recognised after a lost response: a property of the name
 * {@link #PROPERTY} with the id of the write, about 60 bytes. Reading never shows it. An entity without room for it is written without it.
 */
public enum WriteMarkers {
    /**
     * Only {@code claim}. After a lost response a conditional update whose content is found counts as recovered, although another writer
     * may have written the same; a transaction cannot be settled.
     */
    CLAIMS,
    /**
     * Also conditional updates and merges, and one entity of each transaction that could not be repeated otherwise: where two writers
     * could take each other's content for their own. The default.
     */
    DECISIVE,
    /** Also inserts. */
    ALL;

    /** The property that holds the mark. Records and entities cannot have one of this name. */
    public static final String PROPERTY = PropertyNames.MARK;
}
