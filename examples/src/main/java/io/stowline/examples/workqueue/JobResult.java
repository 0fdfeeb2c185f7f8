package io.stowline.examples.workqueue;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/**
 * The result of a job. The first worker that claims it stores it, so that each job has one.
 *
 * @param queue the queue that the job came from
 * @param job the number of the job, with leading zeros
 * @param worker the number of the worker
 */
record JobResult(@PartitionKey String queue, @RowKey String job, int worker) {}
