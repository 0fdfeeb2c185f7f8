/**
 * The checks of the reachability metadata that the jars have for native images: each call that reflects is listed with its reason, the classes that
 * a running program reaches by reflection are registered, and the registered classes exist. Nothing calls this room.
 */
@NullMarked
package io.stowline.system.reachability;

import org.jspecify.annotations.NullMarked;
