package io.stowline.advisor.internal.page;

import io.stowline.advisor.Finding;
import java.util.Locale;

/** The states of a row of the checklist, each with its box. */
enum RowState {
    ERROR("error", "☒"),
    WARNING("warning", "☒"),
    ADVICE("advice", "☒"),
    OBEYED("obeyed", "☑"),
    SUPPRESSED("suppressed", "☐"),
    NOT_SEEN("not seen", "☐"),
    NOT_JUDGED("cannot be judged", "☐");

    private final String label;
    private final String box;

    RowState(String label, String box) {
        this.label = label;
        this.box = box;
    }

    static RowState of(Finding finding) {
        if (finding.severity().isBroken() && !finding.isOpen()) {
            return SUPPRESSED;
        }
        return switch (finding.severity()) {
            case ERROR -> ERROR;
            case WARNING -> WARNING;
            case ADVICE -> ADVICE;
            case OK -> OBEYED;
            case NOT_ENOUGH_DATA -> NOT_SEEN;
            case NOT_APPLICABLE -> NOT_JUDGED;
        };
    }

    String label() {
        return label;
    }

    String box() {
        return box;
    }

    /** Returns the class of its elements in the style sheet. */
    String style() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
