/** Choice of the requests that a rule takes: conditions, gates by number or chance, and their counts. The rules of the proxy call it. */
@NullMarked
package io.stowline.testkit.internal.proxy.match;

import org.jspecify.annotations.NullMarked;
