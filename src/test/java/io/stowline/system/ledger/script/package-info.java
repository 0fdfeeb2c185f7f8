/**
 * The script of workers and network in a seed: operations, competing writers, weather and faults, and the results that
 * are reported. It knows no client.
 */
@NullMarked
package io.stowline.system.ledger.script;

import org.jspecify.annotations.NullMarked;
