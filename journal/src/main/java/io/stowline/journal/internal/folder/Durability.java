package io.stowline.journal.internal.folder;

import io.stowline.journal.JournalSettings;

/** The durability of a record: when it counts as being on disk. */
public enum Durability {
    /** The operating system has it. */
    PROCESS,
    /** The disk has confirmed it. */
    MACHINE;

    /** Returns the durability of a journal with these settings. */
    public static Durability of(JournalSettings settings) {
        return settings.fsync() ? MACHINE : PROCESS;
    }
}
