package io.stowline.outcome;

import java.util.Objects;

/** A write result without further facts. */
record PlainWriteResult(String etag, WriteOutcome outcome, Evidence evidence, boolean mayHaveRepeated)
        implements WriteResult {

    PlainWriteResult {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(evidence, "evidence");
    }

    @Override
    public String toString() {
        return "WriteResult[etag=" + etag + ", outcome=" + outcome + ", evidence=" + evidence + ", mayHaveRepeated="
                + mayHaveRepeated + "]";
    }
}
