package io.stowline.system.ledger.verdict;

import java.util.function.Consumer;

/** Looks for one sort of violations. */
@FunctionalInterface
interface Check {

    void of(SeedFacts books, Consumer<Violation> found);
}
