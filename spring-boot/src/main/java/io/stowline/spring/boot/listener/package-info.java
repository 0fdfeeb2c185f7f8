/** Queue listeners: annotated methods of beans that Stowline's queue consumers call, their containers, and the registry that starts and stops them. */
@NullMarked
package io.stowline.spring.boot.listener;

import org.jspecify.annotations.NullMarked;
