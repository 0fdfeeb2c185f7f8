/** Records in blobs beside a blob for each record and beside a log file: requests, processor time, allocation, writes and memory. */
@NullMarked
package io.stowline.benchmarks.records;

import org.jspecify.annotations.NullMarked;
