package io.stowline.records;

import java.util.List;

/** Records that failed and whose failures were not taken, thrown by {@link RecordWriter#close()}. */
public final class FailedRecordsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial")
    private final List<FailedRecords> failures;

    /**
     * Makes the exception.
     *
     * @param failures the chunks, at least one
     */
    public FailedRecordsException(List<FailedRecords> failures) {
        super(describe(failures), failures.get(0).cause());
        this.failures = List.copyOf(failures);
    }

    /**
     * Returns the chunks that failed.
     *
     * @return the chunks, the oldest first
     */
    public List<FailedRecords> failures() {
        return failures;
    }

    private static String describe(List<FailedRecords> failures) {
        long records = failures.stream().mapToLong(FailedRecords::records).sum();
        return records + " records in " + failures.size()
                + " chunks failed and were not taken; the first is for the blob "
                + failures.get(0).blob();
    }
}
