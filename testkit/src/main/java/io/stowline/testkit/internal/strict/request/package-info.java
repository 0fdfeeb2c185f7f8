/** Requests as strict mode reads them: addresses, entities, batches, XML and the text forms of values. The checks call it. It knows no rule. */
@NullMarked
package io.stowline.testkit.internal.strict.request;

import org.jspecify.annotations.NullMarked;
