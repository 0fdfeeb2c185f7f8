package io.stowline.advisor.internal.page;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Finding;
import java.util.List;

/** The checklists of the articles, by the first letters of their practices. */
enum Checklist {
    ALL("All services", 'A'),
    BLOBS("Blobs", 'B'),
    TABLES("Tables", 'T'),
    QUEUES("Queues", 'Q');

    private final String title;
    private final char letter;

    Checklist(String title, char letter) {
        this.title = title;
        this.letter = letter;
    }

    String title() {
        return title;
    }

    List<Finding> rows(AdviceReport report) {
        return report.rows().stream()
                .filter(row -> row.practice().name().charAt(0) == letter)
                .toList();
    }
}
