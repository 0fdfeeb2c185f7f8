package io.stowline.table;

/**
 * The report of a repair of index rows. Immutable.
 *
 * @param entities how many entities it looked at
 * @param added how many index rows were missing and were written
 * @param removed how many index rows were not those of any entity and were removed
 * @param rewritten how many index rows were those of an entity and had another content, and were rewritten
 * @param unresolved how many rows it left as they are: an entity has the unique value of another one, a row has the key of an index row and
 *     is none, an entity cannot be read as the table's type or its values do not fit into keys, or it changed too often during the repair
 */
public record IndexReport(long entities, long added, long removed, long rewritten, long unresolved) {

    static final IndexReport NOTHING = new IndexReport(0, 0, 0, 0, 0);
    static final IndexReport ENTITY = new IndexReport(1, 0, 0, 0, 0);
    static final IndexReport ADDED = new IndexReport(0, 1, 0, 0, 0);
    static final IndexReport REMOVED = new IndexReport(0, 0, 1, 0, 0);
    static final IndexReport REWRITTEN = new IndexReport(0, 0, 0, 1, 0);
    static final IndexReport UNRESOLVED = new IndexReport(0, 0, 0, 0, 1);

    IndexReport and(IndexReport other) {
        return new IndexReport(
                entities + other.entities,
                added + other.added,
                removed + other.removed,
                rewritten + other.rewritten,
                unresolved + other.unresolved);
    }

    /** The same of entities that are counted already. */
    IndexReport withoutEntities() {
        return new IndexReport(0, added, removed, rewritten, unresolved);
    }

    /**
     * Returns whether the indexes were as they should be.
     *
     * @return true if nothing was done, and nothing left undone
     */
    public boolean clean() {
        return added + removed + rewritten + unresolved == 0;
    }
}
