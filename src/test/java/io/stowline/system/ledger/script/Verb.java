package io.stowline.system.ledger.script;

/** What a request does to one entity. */
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

    /** Whether it leaves nothing of what was there before. */
    boolean replaces() {
        return this == INSERT || this == UPDATE || this == REPLACE_ANY;
    }

    /** Whether it holds for one version only. */
    public boolean isBound() {
        return this == UPDATE || this == MERGE || this == DELETE_VERSION;
    }

    /** Of the two properties of an entity the one that is written; who merges leaves the other as it is. */
    public String property() {
        return replaces() ? Row.VALUE : Row.NOTE;
    }
}
