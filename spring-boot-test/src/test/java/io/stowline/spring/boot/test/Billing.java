package io.stowline.spring.boot.test;

import org.springframework.stereotype.Component;

/** A component of the application without a listener method. */
@Component
class Billing {}
