/**
 * Requests of the table service: addresses, encoded operations, change sets, and the parser of batch responses. The write, query and
 * writer rooms use it. It calls codec and json.
 */
@NullMarked
package io.stowline.table.internal.request;

import org.jspecify.annotations.NullMarked;
