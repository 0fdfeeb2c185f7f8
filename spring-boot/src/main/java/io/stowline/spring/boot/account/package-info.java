/**
 * The clients of an application by the names of their accounts, and the failure of a configuration that makes nothing. All doors use this room, so that
 * the same mistake has the same words and the same analysis in each. It uses the public API of the client only, and no other room.
 */
@NullMarked
package io.stowline.spring.boot.account;

import org.jspecify.annotations.NullMarked;
