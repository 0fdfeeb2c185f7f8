/** The clients that are judged: Stowline and the Azure SDK, with the same operations. The workers call them. */
@NullMarked
package io.stowline.system.ledger.subject;

import org.jspecify.annotations.NullMarked;
