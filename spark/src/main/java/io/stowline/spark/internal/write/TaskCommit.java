package io.stowline.spark.internal.write;

import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The end of a task whose rows are all written.
 *
 * @param counts its counts
 * @param unshown those that the metrics of the task lack
 */
record TaskCommit(WriteCounts counts, WriteCounts unshown) implements WriterCommitMessage {

    static WriteCounts unshown(WriterCommitMessage[] commits) {
        WriteCounts sum = WriteCounts.NONE;
        for (WriterCommitMessage commit : commits) {
            if (commit instanceof TaskCommit task) {
                sum = sum.plus(task.unshown());
            }
        }
        return sum;
    }
}
