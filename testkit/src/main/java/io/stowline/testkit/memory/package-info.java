/**
 * Azure Table, Queue and Blob storage in the memory of a test, without a network and without a process: an HTTP client of azure-core that
 * responds by itself. It serves any client on azure-core, and knows nothing of the library under test. It refuses an unknown request with
 * 501 and a text that names it.
 */
@NullMarked
package io.stowline.testkit.memory;

import org.jspecify.annotations.NullMarked;
