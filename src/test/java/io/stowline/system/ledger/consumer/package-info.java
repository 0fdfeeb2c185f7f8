/** The correctness benchmark of consumers: messages, lost responses, what consumers report, and the verdict. Its main class runs it. */
@NullMarked
package io.stowline.system.ledger.consumer;

import org.jspecify.annotations.NullMarked;
