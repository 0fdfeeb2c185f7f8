package io.stowline.system.ledger.script;

/** The effect of a request on one entity. */
public enum Verb {
    INSERT,
    UPDATE,
    MERGE,
    REPLACE_ANY,
    MERGE_ANY,
    DELETE,
    DELETE_VERSION;

    public boolean isDelete() {
        return this == DELETE || this == DELETE_VERSION;
    }

    /** Returns whether it leaves nothing of the previous content. */
    boolean replaces() {
        return this == INSERT || this == UPDATE || this == REPLACE_ANY;
    }

    /** Returns whether it holds for one version only. */
    public boolean isBound() {
        return this == UPDATE || this == MERGE || this == DELETE_VERSION;
    }

    /** Returns the property that it writes, one of two; a merge leaves the other as it is. */
    public String property() {
        return replaces() ? Row.VALUE : Row.NOTE;
    }
}
