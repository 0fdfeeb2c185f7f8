package io.stowline.benchmarks.ledger;

import java.util.function.Consumer;

/** Looks for one sort of violations. */
@FunctionalInterface
interface Check {

    void of(Books books, Consumer<Violation> found);
}
